import Queue from 'bull';
import type { Bench } from '../bench';
import { type Figure, median } from '../table';
import { workRows } from './work-rows';

const jobs = 20_000;
const concurrency = 10;

/** No-op jobs per second through a Bull queue, from the first to the last. */
async function round(url: string, turn: number): Promise<number> {
  const queue = new Queue('bench', url, { prefix: `bench-${process.pid}-${turn}` });
  const options = { attempts: 1, removeOnComplete: true, removeOnFail: true };
  await queue.addBulk(Array.from({ length: jobs }, () => ({ data: {}, opts: options })));
  let done = 0;
  const began = performance.now();
  await new Promise<void>((resolve, reject) => {
    const countJob = async (): Promise<void> => {
      if (++done === jobs) resolve();
    };
    void queue.process(concurrency, countJob).catch(reject);
  });
  const elapsed = (performance.now() - began) / 1_000;
  await queue.obliterate({ force: true });
  await queue.close();
  return jobs / elapsed;
}

/** Throughput of work, and of Bull alone on the Redis in `REDIS_URL`. */
export const work = async (bench: Bench): Promise<Figure[]> => [...(await workRows(bench)), ...(await bull(bench))];

async function bull({ options, log }: Bench): Promise<Figure[]> {
  const url = process.env['REDIS_URL'];
  if (url === undefined || url === '') {
    log(
      'skipped: the measure of Bull needs Redis. Set REDIS_URL, for example REDIS_URL=redis://localhost npm run bench',
    );
    return [];
  }
  const rates: number[] = [];
  for (let turn = 0; turn < options.rounds; turn++) rates.push(await round(url, turn));
  return [
    {
      measure: 'queue',
      what: `no-op jobs through Bull, ${concurrency} at a time`,
      value: median(rates),
      unit: '/s',
      goal: { atLeast: 5_000 },
    },
  ];
}
