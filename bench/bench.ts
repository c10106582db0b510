import type { BenchDatabase, DataSet } from './data-set/bench-database';
import type { BenchOptions } from './options';
import { type Program, Server } from './servers/server';
import type { Figure } from './table';

/** The arguments of a measure. */
export interface Bench {
  readonly options: BenchOptions;
  readonly database: BenchDatabase;
  readonly dataSet: DataSet;
  log(line: string): void;
}

export type Measure = (bench: Bench) => Promise<Figure[]>;

/** Below the ephemeral ports of the system. */
let nextPort = 21_500;

/** Starts programs, and stops them also when the measure fails. */
export async function withServers<T, const Programs extends readonly Program[]>(
  programs: Programs,
  environment: NodeJS.ProcessEnv,
  use: (...servers: { [Place in keyof Programs]: Server }) => Promise<T>,
): Promise<T> {
  const servers: Server[] = [];
  try {
    for (const program of programs) servers.push(await Server.start(program, nextPort++, environment));
    return await use(...(servers as { [Place in keyof Programs]: Server }));
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}
