import { type Bench, withServers } from '../bench';
import { type DataSet, connectTo } from '../data-set/bench-database';
import { credentialsOf } from '../data-set/keys';
import { type BenchRequest, generateLoad } from '../load-generator';
import type { Server } from '../servers/server';
import { type Figure, median } from '../table';

const writers = 8;
const findingsEach = 200;

const statusRequest = (id: number, owner: number, status: number): BenchRequest => ({
  method: 'POST',
  path: `/v1/findings/${id}/status`,
  authorization: credentialsOf(owner).header,
  body: { status },
});

/** Each writer has findings of its own and moves them between accepted and in progress, for as long as it is told to. */
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

/** Changes a second by several writers, with the audit entry and without it, in turns; in one organization and in many. */
export async function writes({ dataSet, options }: Bench): Promise<Figure[]> {
  return withServers(['api', 'api-without-audit'], { DATABASE_URL: dataSet.appUrl }, async (audited, bare) => {
    const one = await statusRequests(dataSet, 1);
    const many = await statusRequests(dataSet, writers);
    const rate = async ({ url }: Server, requests: BenchRequest[][]): Promise<number> =>
      (await generateLoad({ url, requests: requests, seconds: options.seconds, expectedStatus: 200 })).perSecond;
    for (const server of [audited, bare]) await rate(server, one);
    const rounds = [];
    for (let turn = 0; turn < options.rounds; turn++) {
      rounds.push({ bare: await rate(bare, one), one: await rate(audited, one), many: await rate(audited, many) });
    }
    const figure = (what: string, values: number[], unit: string, atLeast?: number): Figure => ({
      measure: 'changes',
      what,
      value: median(values),
      unit,
      ...(atLeast === undefined ? {} : { goal: { atLeast } }),
    });
    return [
      figure(
        'with the audit entry, of those without it',
        rounds.map((round) => round.one / round.bare),
        '',
        0.7,
      ),
      figure(
        'with the audit entry, a second',
        rounds.map((round) => round.one),
        '/s',
      ),
      figure(
        `in one organization, of those in ${writers}`,
        rounds.map((round) => round.one / round.many),
        '',
      ),
    ];
  });
}
