import { type Bench, withServers } from '../bench';
import { type DataSet, connectTo } from '../data-set/bench-database';
import { credentialsOf } from '../data-set/keys';
import { type Goal, goalOf } from '../goals';
import { type BenchRequest, generateLoad } from '../load-generator';
import type { Server } from '../servers/server';
import { type Figure, median } from '../table';
import { feedCost } from './feed-cost';

const writers = 8;
const findingsEach = 200;

const statusRequest = (id: number, owner: number, status: number): BenchRequest => ({
  method: 'POST',
  path: `/v1/findings/${id}/status`,
  headers: { authorization: credentialsOf(owner).header },
  body: { status },
});

/** For each writer, requests that change its own findings between accepted and in_progress. */
export async function statusRequests({ ownerUrl, shape }: DataSet, organizations: number): Promise<BenchRequest[][]> {
  const client = await connectTo(ownerUrl);
  const requests: BenchRequest[][] = [];
  for (let writer = 0; writer < writers; writer++) {
    const owner = 1 + (writer % Math.min(organizations, shape.organizations));
    const { rows } = await client.query<{ id: number }>(
      `UPDATE findings SET status = 1 WHERE id = ANY(ARRAY(
         SELECT id FROM findings WHERE organization_id = $1 AND status IN (1, 2, 3) AND id % $2 = $3 ORDER BY id LIMIT $4))
       RETURNING id`,
      [owner, writers, writer, findingsEach],
    );
    requests.push([2, 3, 2, 3].flatMap((status) => rows.map(({ id }) => statusRequest(id, owner, status))));
  }
  await client.end();
  return requests;
}

/** Status changes per second by several writers, with and without audit entries, in one organization and in many. */
export async function writes(bench: Bench): Promise<Figure[]> {
  const { dataSet, options } = bench;
  return withServers(['api', 'api-without-audit'], { DATABASE_URL: dataSet.appUrl }, async (audited, unaudited) => {
    const one = await statusRequests(dataSet, 1);
    const many = await statusRequests(dataSet, writers);
    const rate = async ({ url }: Server, requests: BenchRequest[][]): Promise<number> =>
      (await generateLoad({ url, requests, seconds: options.seconds, expectedStatus: 200 })).perSecond;
    for (const server of [audited, unaudited]) await rate(server, one);
    const rounds = [];
    for (let turn = 0; turn < options.rounds; turn++) {
      rounds.push({
        unaudited: await rate(unaudited, one),
        one: await rate(audited, one),
        many: await rate(audited, many),
      });
    }
    const figure = (what: string, values: number[], unit: string, goal?: Goal): Figure => ({
      measure: 'status changes',
      what,
      value: median(values),
      unit,
      ...(goal === undefined ? {} : { goal }),
    });
    const changes = async (): Promise<number> =>
      (await generateLoad({ url: audited.url, requests: one, seconds: 3, expectedStatus: 200 })).responses;
    const ofFeed = await feedCost(bench, { server: audited, changes });
    return [
      figure(
        'with audit entries, relative to without',
        rounds.map((round) => round.one / round.unaudited),
        '',
        goalOf('status changes with audit entries'),
      ),
      figure(
        'with audit entries, per second',
        rounds.map((round) => round.one),
        '/s',
      ),
      figure(
        `in one organization, relative to ${writers}`,
        rounds.map((round) => round.one / round.many),
        '',
      ),
      ...ofFeed,
    ];
  });
}
