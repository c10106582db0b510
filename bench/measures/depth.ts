import { largestEventRequests } from '../requests';
import { type Bench, withServers } from '../bench';
import { generateLoad } from '../load-generator';
import { type Figure, median } from '../table';

const deepest = 1_000;
const perPage = 50;

/** A deep page of the largest event compared with its first page, in alternating rounds. */
export async function depth({ dataSet, options, database, log }: Bench): Promise<Figure[]> {
  const largest = await database.selectNumber(dataSet, 'SELECT count(*) FROM event_findings WHERE event_id = 1');
  const page = Math.min(deepest, Math.floor(largest / perPage));
  if (page < deepest) log(`the largest event has ${largest} findings: its last full page is ${page}`);
  return withServers(['api'], { DATABASE_URL: dataSet.appUrl }, async ({ url }) => {
    // Two connections, to measure the response time and not the throughput.
    const p50Of = (number: number): Promise<number> =>
      generateLoad({
        url,
        requests: largestEventRequests(dataSet, 2, number),
        seconds: options.seconds,
        expectedStatus: 200,
      }).then(({ p50 }) => p50);
    await p50Of(1);
    const rounds = [];
    for (let turn = 0; turn < options.rounds; turn++) {
      rounds.push({ first: await p50Of(1), deep: await p50Of(page) });
    }
    const measure = `page ${page.toLocaleString('en')}`;
    return [
      {
        measure,
        what: 'p50 relative to page 1',
        value: median(rounds.map(({ first, deep }) => deep / first)),
        unit: '',
        goal: { atMost: 10 },
      },
      { measure, what: 'page 1, p50', value: median(rounds.map(({ first }) => first)), unit: 'ms' },
      { measure, what: `page ${page}, p50`, value: median(rounds.map(({ deep }) => deep)), unit: 'ms' },
    ];
  });
}
