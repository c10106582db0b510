import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OWN_APPLICATIONS } from './applications';
import { FETCHED_FOLDERS, fetchedApplications } from './fetched-applications';
import { type ApplicationResult, testApplications } from './test-applications';

/**
 * Starts applications, runs a job on each, and fails if one ends in ERROR or a finding is not among the true ones:
 *
 *   npm run test:real -- [--dsvw FOLDER] [--dvwa FOLDER] [--wordpress FOLDER] [--only WORD]
 */
const folder = { type: 'string' } as const;
const { values } = parseArgs({
  options: { ...Object.fromEntries(FETCHED_FOLDERS.map((name) => [name, folder])), only: folder },
});

function print({ name, status, error, requests, seconds, found, wrong, unseen, incomplete }: ApplicationResult): void {
  const counts = `${requests} requests, ${seconds.toFixed(0)} s, ${found.length} true, ${wrong.length} false`;
  console.log(`${name}: ${status}, ${counts}`);
  const lines = { error: error === null ? [] : [error], false: wrong, 'not found': unseen, incomplete, true: found };
  for (const [what, all] of Object.entries(lines)) for (const one of all) console.log(`  ${what}: ${one}`);
}

async function main(): Promise<void> {
  const { only = '', ...folders } = values as Record<string, string | undefined>;
  const all = [...OWN_APPLICATIONS, ...fetchedApplications(folders)].filter(({ name }) => name.includes(only));
  for (const { name, missing } of all) if (missing !== null) console.log(`${name}: skipped: ${missing}`);
  const dist = resolve(join(__dirname, '..', '..'));
  const results = await testApplications(
    all.filter(({ missing }) => missing === null),
    dist,
  );
  results.forEach(print);
  process.exitCode = results.some(({ status, wrong }) => status !== 'FINISHED' || wrong.length > 0) ? 1 : 0;
}

void main();
