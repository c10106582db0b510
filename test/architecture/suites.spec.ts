import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import specsOfSuite from '../suites/specs-of-suite.cjs';

const tests = join(__dirname, '..');

describe('The suites of npm test', () => {
  it('have a file each, without which their specs would not run at all', () => {
    const files = readdirSync(join(tests, 'suites')).filter((file) => file.endsWith('.suite.ts'));
    expect(Object.keys(specsOfSuite).sort()).toEqual(files.map((file) => file.replace('.suite.ts', '')).sort());
  });

  it('name specs that exist, each in one suite', () => {
    const specs = Object.values(specsOfSuite).flat();
    const exists = (spec: string): boolean =>
      ['ts', 'tsx'].some((end) => existsSync(join(tests, `${spec}.spec.${end}`)));
    expect(specs.filter((spec) => !exists(spec))).toEqual([]);
    expect(specs.filter((spec, index) => specs.indexOf(spec) !== index)).toEqual([]);
  });
});
