import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type Figure, median } from '../table';

/** Each round is short, and the first ones read the file from the disk. */
const STARTS = 15;

const program = join(__dirname, '../../src/apps/api/client/assay.cjs');

/** The time from the start of `assay` to its end, when it has nothing to do. */
export function terminal(): Promise<Figure[]> {
  const starts = Array.from({ length: STARTS }, () => {
    const begun = performance.now();
    execFileSync(process.execPath, [program, '--version']);
    return (performance.now() - begun) / 1_000;
  });
  return Promise.resolve([
    { measure: 'start of assay', what: 'time until its end', value: median(starts), unit: 's', goal: { atMost: 0.3 } },
  ]);
}
