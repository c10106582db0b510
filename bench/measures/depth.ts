import { forConnections, ownerRequest, pageOfLargestEvent } from '../requests';
import { type Bench, withServers } from '../bench';
import { goalOf } from '../goals';
import { type BenchRequest, generateLoad } from '../load-generator';
import { type Figure, median } from '../table';

const deepest = 1_000;
const perPage = 50;

/** The request of the next page, by the link of this page. */
async function nextOf(url: string, { path, headers: sent }: BenchRequest): Promise<BenchRequest> {
  const { headers } = await fetch(url + path, { headers: sent });
  const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  if (next === undefined) throw new Error(`${path} has no next page`);
  return ownerRequest(next);
}

/** A deep page of the largest event, by its number and by its link, compared with its first page, in alternating rounds. */
export async function depth({ dataSet, options, database, log }: Bench): Promise<Figure[]> {
  const largest = await database.selectNumber(dataSet, 'SELECT count(*) FROM event_findings WHERE event_id = 1');
  const page = Math.min(deepest, Math.floor(largest / perPage));
  if (page < deepest) log(`the largest event has ${largest} findings: its last full page is ${page}`);
  return withServers(['api'], { DATABASE_URL: dataSet.appUrl }, async ({ url }) => {
    // Two connections, to measure the response time and not the throughput.
    const p50Of = (request: BenchRequest): Promise<number> =>
      generateLoad({
        url,
        requests: forConnections(2, () => request),
        seconds: options.seconds,
        expectedStatus: 200,
      }).then(({ p50 }) => p50);
    const [first, deep] = [pageOfLargestEvent(dataSet, 1), pageOfLargestEvent(dataSet, page)];
    const linked = await nextOf(url, pageOfLargestEvent(dataSet, page - 1));
    await p50Of(first);
    const rounds = [];
    for (let turn = 0; turn < options.rounds; turn++) {
      rounds.push({ first: await p50Of(first), deep: await p50Of(deep), linked: await p50Of(linked) });
    }
    const measure = `page ${page.toLocaleString('en')}`;
    return [
      {
        measure,
        what: 'p50 relative to page 1',
        value: median(rounds.map(({ first, deep }) => deep / first)),
        unit: '',
        goal: goalOf('page 1,000'),
      },
      {
        measure,
        what: 'by its link, p50 relative to page 1',
        value: median(rounds.map(({ first, linked }) => linked / first)),
        unit: '',
        goal: { atMost: 1.5 },
      },
      { measure, what: 'page 1, p50', value: median(rounds.map(({ first }) => first)), unit: 'ms' },
      { measure, what: `page ${page}, p50`, value: median(rounds.map(({ deep }) => deep)), unit: 'ms' },
    ];
  });
}
