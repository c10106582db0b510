import type { BenchDatabase, DataSet } from './data-set/bench-database';
import type { BenchOptions } from './options';
import { type Program, Server } from './servers/server';
import type { Figure } from './table';

/** What a measure has to hand. */
export interface Bench {
  readonly options: BenchOptions;
  readonly database: BenchDatabase;
  readonly dataSet: DataSet;
  say(line: string): void;
}

export type Measure = (bench: Bench) => Promise<Figure[]>;

/** Below the ports that the system hands out by itself. */
let nextPort = 21_500;

/** Starts programs on a data set, and stops them whatever happens. */
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
