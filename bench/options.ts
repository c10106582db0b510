import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** The number of findings in the data set. */
  readonly findings: number;
  /** The number of organizations in the data set; undefined for one of 10,000 findings, from 20 to 200. */
  readonly organizations: number | undefined;
  /** Shorter rounds and a tenth of the data. */
  readonly quick: boolean;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** The selected measures; all when empty. */
  readonly only: readonly string[];
  readonly dataDir: string;
  readonly output: string | undefined;
  /** Whether the run fails if a goal is missed. */
  readonly check: boolean;
}

const usage = `npm run bench -- [options]
  --quick             a tenth of the data, short rounds: one minute
  --findings N        size of the data set (1000000; with --quick 100000), which is kept between runs
  --organizations N   whose findings they are (one for 10,000 findings, from 20 to 200)
  --only a,b          only these measures: start, reads, tenants, depth, growth, lists, portal,
                      imports, writes, audit, work, processes and memory (minutes, only when named)
  --rounds N          rounds of each measure (3)
  --check             fails if a goal is missed
  --output FILE       writes the results as JSON to this file
`;

export function readOptions(argv: readonly string[], environment: NodeJS.ProcessEnv): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      findings: { type: 'string' },
      organizations: { type: 'string' },
      only: { type: 'string', default: '' },
      rounds: { type: 'string' },
      output: { type: 'string' },
      check: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(usage);
    process.exit(0);
  }
  const { quick } = values;
  return {
    quick,
    findings: wholeNumber('--findings', values.findings ?? (quick ? '100000' : '1000000'), 10_000, 50_000_000),
    organizations:
      values.organizations === undefined ? undefined : wholeNumber('--organizations', values.organizations, 1, 20_000),
    rounds: wholeNumber('--rounds', values.rounds ?? '3', 1, 50),
    seconds: quick ? 2 : 5,
    connections: 32,
    only: values.only.split(',').filter((name) => name !== ''),
    dataDir: environment['BENCH_DATA'] ?? '.bench',
    output: values.output,
    check: values.check,
  };
}

function wholeNumber(name: string, text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
  throw new Error(`${name} must be a whole number from ${minimum} to ${maximum}, not "${text}"`);
}
