import { parseArgs } from 'node:util';
import { CountingProxy, freePort } from '../../test/real/counting-proxy';
import { runAssay } from './assay';
import type { Benchmark, Scanned } from './benchmark';
import { benchmarkPython } from './benchmark-python';
import { firingRange } from './firing-range';
import { knownApplications } from './known-weaknesses';
import { countsOf, type Result, tableOf } from './table';
import { runWapiti, wapitiIsMissing } from './wapiti';

/**
 * Runs Assay and wapiti on applications that others made vulnerable, and counts what each finds:
 *
 *   BENCHMARK_PYTHON=FOLDER DVWA=FOLDER DSVW=FOLDER XVWA=FOLDER FIRING_RANGE=FOLDER npm run bench:detection -- [--only WORD] [--scanner NAME]
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, scanner: { type: 'string' } } });

type Scanner = (benchmark: Benchmark, url: string) => Promise<Scanned>;

const SCANNERS: Readonly<Record<string, Scanner>> = {
  assay: runAssay,
  ...(wapitiIsMissing() ? {} : { wapiti: runWapiti }),
};

/** Each scanner gets an application as it is after its installation. */
async function resultOf(scanner: string, run: Scanner, benchmark: Benchmark): Promise<Result> {
  const port = await freePort();
  const proxy = await CountingProxy.before(port);
  const url = `http://127.0.0.1:${proxy.port}/`;
  const stop = await benchmark.start({ port, url });
  try {
    proxy.requests = 0;
    const started = performance.now();
    const scanned = await run(benchmark, url);
    return { scanner, ...scanned, requests: proxy.requests, seconds: (performance.now() - started) / 1_000 };
  } finally {
    proxy.stop();
    await stop();
  }
}

function print(benchmark: Benchmark, result: Result): void {
  console.log(`\n${benchmark.name}, ${result.scanner}: ${result.requests} requests, ${result.seconds.toFixed(0)} s`);
  for (const note of result.notes) console.log(`  note: ${note}`);
  for (const { found, missed, wrong } of countsOf(benchmark, result))
    for (const [what, all] of Object.entries({ false: wrong, missed, true: found }))
      for (const one of all) console.log(`  ${what}: ${one}`);
  for (const report of result.reports.filter((one) => benchmark.judge(one) === 'aside'))
    console.log(`  aside: ${report.category} ${report.method} ${report.path} ${report.parameter}`);
}

async function main(): Promise<void> {
  // A parameter of these applications may be opened for writing.
  if (process.getuid?.() === 0)
    throw new Error('Run this as an ordinary user: the applications could overwrite any file.');
  const { BENCHMARK_PYTHON, DVWA: dvwa, DSVW: dsvw, XVWA: xvwa, FIRING_RANGE } = process.env;
  const all = [
    benchmarkPython(BENCHMARK_PYTHON),
    ...knownApplications({ dvwa, dsvw, xvwa }),
    firingRange(FIRING_RANGE),
  ];
  const rows: [Benchmark, Result[]][] = [];
  for (const benchmark of all.filter(({ name }) => name.includes(values.only ?? ''))) {
    if (benchmark.missing !== null) {
      console.log(`${benchmark.name}: skipped: ${benchmark.missing}`);
      continue;
    }
    const results: Result[] = [];
    for (const [name, run] of Object.entries(SCANNERS)) {
      if (values.scanner !== undefined && name !== values.scanner) continue;
      results.push(await resultOf(name, run, benchmark));
    }
    for (const result of results) print(benchmark, result);
    rows.push([benchmark, results]);
  }
  console.log(`\n${tableOf(rows)}`);
}

void main();
