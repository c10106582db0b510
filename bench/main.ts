import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import type { Bench, Measure } from './bench';
import { BenchDatabase } from './data-set/bench-database';
import { audit } from './measures/audit';
import { depth } from './measures/depth';
import { growth } from './measures/growth';
import { imports } from './measures/imports';
import { lists } from './measures/lists';
import { memory } from './measures/memory';
import { portal } from './measures/portal';
import { processes } from './measures/processes';
import { reads } from './measures/reads';
import { startUp } from './measures/start-up';
import { tenants } from './measures/tenants';
import { terminal } from './measures/terminal';
import { work } from './measures/work';
import { writes } from './measures/writes';
import { readOptions } from './options';
import { type Figure, missesGoal, tableOf } from './table';

const measures: Readonly<Record<string, Measure>> = {
  start: startUp,
  terminal,
  reads,
  tenants,
  depth,
  growth,
  lists,
  portal,
  imports,
  writes,
  audit,
  work,
  processes,
  memory,
};

/** Take longer than all other measures together, or have no goal. */
const onlyWhenNamed = new Set(['processes', 'memory']);

const isSelected = (name: string, only: readonly string[]): boolean =>
  only.length > 0 ? only.includes(name) : !onlyWhenNamed.has(name);

const log = (line: string): void => void process.stderr.write(`${line}\n`);

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env);
  const unknown = options.only.filter((name) => measures[name] === undefined);
  if (unknown.length > 0)
    throw new Error(`Unknown measures: ${unknown.join(', ')}. Known measures: ${Object.keys(measures).join(', ')}`);
  const database = await BenchDatabase.start(options.dataDir);
  const stop = (): void => void database.stop().then(() => process.exit(130));
  process.once('SIGINT', stop);
  try {
    const dataSet = await database.dataSet(options.findings, log, options.organizations);
    const bench: Bench = { options, database, dataSet, log };
    const figures: Figure[] = [];
    for (const [name, measure] of Object.entries(measures)) {
      if (!isSelected(name, options.only)) continue;
      log(`measuring ${name} …`);
      figures.push(...(await measure(bench)));
    }
    process.stdout.write(`${tableOf(figures)}\n`);
    if (options.output !== undefined)
      writeFileSync(options.output, `${JSON.stringify(resultOf(options.findings, figures), null, 2)}\n`);
    const missed = figures.filter(missesGoal);
    if (options.check && missed.length > 0) {
      log(`Goals that are missed: ${missed.map(({ measure, what }) => `${measure}, ${what}`).join('; ')}`);
      process.exitCode = 1;
    }
  } finally {
    await database.stop();
  }
}

const resultOf = (findings: number, figures: readonly Figure[]): object => ({
  taken: new Date().toISOString(),
  node: process.version,
  processors: cpus().length,
  findings,
  figures,
});

run().catch((error: unknown) => {
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
