import { text } from 'node:stream/consumers';
import type { ReportSnapshot } from '../domain/report-snapshot';
import { ReportGenerationError } from '../domain/report.errors';
import { RENDERERS } from './renderers';

/** The exit code for a report that cannot be rendered: stdout then has a sentence for the user. */
const REFUSED = 3;

/** Reads a snapshot from stdin, writes the report to stdout, and ends. `RenderingProcess` starts and limits it. */
async function main(): Promise<void> {
  const snapshot = JSON.parse(await text(process.stdin)) as ReportSnapshot;
  try {
    process.stdout.end(await RENDERERS[snapshot.options.format].render(snapshot));
  } catch (error) {
    if (!(error instanceof ReportGenerationError)) throw error;
    process.exitCode = REFUSED;
    process.stdout.end(error.message);
  }
}

void main();
