import { type Bench, withServers } from '../bench';
import type { Program } from '../servers/server';
import { type Figure, median } from '../table';

/** The time until a process is ready, and its memory at that moment. */
export async function startUp({ dataSet, options }: Bench): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const program of ['api', 'worker'] satisfies Program[]) {
    const starts: { seconds: number; memory: number }[] = [];
    for (let round = 0; round < options.rounds; round++) {
      starts.push(
        await withServers([program], { DATABASE_URL: dataSet.appUrl }, async ({ startMs, memoryMb }) => ({
          seconds: startMs / 1_000,
          memory: memoryMb,
        })),
      );
    }
    const measure = `start of the ${program === 'api' ? 'API' : program}`;
    const seconds = median(starts.map((start) => start.seconds));
    const memory = median(starts.map((start) => start.memory));
    figures.push(
      { measure, what: 'time until ready', value: seconds, unit: 's', goal: { atMost: 2.5 } },
      { measure, what: 'memory', value: memory, unit: 'MB', goal: { atMost: 220 } },
    );
  }
  return figures;
}
