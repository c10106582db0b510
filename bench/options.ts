import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** How many findings the data set has. */
  readonly findings: number;
  /** Fewer and shorter rounds, and a tenth of the data: to see whether a change is worth a whole run. */
  readonly quick: boolean;
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** The measures to take; all when empty. */
  readonly only: readonly string[];
  readonly dataDir: string;
  readonly output: string | undefined;
}

const usage = `npm run bench -- [options]
  --quick             a tenth of the data, short rounds: one minute
  --findings N        size of the data set (1000000; with --quick 100000); kept between runs
  --only a,b          only these: start, reads, depth, growth, lists, writes, audit, work; memory
                      (ten minutes) when it is named
  --rounds N          rounds of each measure, the servers in turns (3)
  --output FILE       where the JSON goes (docs/… or anywhere; none by default)
`;

export function readOptions(argv: readonly string[], environment: NodeJS.ProcessEnv): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      findings: { type: 'string' },
      only: { type: 'string', default: '' },
      rounds: { type: 'string' },
      output: { type: 'string' },
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
    rounds: wholeNumber('--rounds', values.rounds ?? '3', 1, 50),
    seconds: quick ? 2 : 5,
    connections: 32,
    only: values.only.split(',').filter((name) => name !== ''),
    dataDir: environment['BENCH_DATA'] ?? '.bench',
    output: values.output,
  };
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new Error(`${name} takes a whole number from ${least} to ${most}, not "${text}"`);
}
