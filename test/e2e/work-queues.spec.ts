import { randomUUID } from 'node:crypto';
import { CanceledWorkRepository } from '../../src/platform/work/canceled-work.repository';
import type { Claim } from '../../src/platform/work/claim';
import { FairShare } from '../../src/platform/work/fair-share';
import { ownerKey, QueueWalks } from '../../src/platform/work/queue-walks';
import { WorkRepository } from '../../src/platform/work/work.repository';
import { type RunningWorker, startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { OrderedTestWork } from '../support/ordered-test-work';

const make = new Factories(useApi());
const SIZE = 16;
const terms = { leaseSeconds: 60, maxAttempts: 5, reclaimExpired: true, onePerOrganization: [] };

let work: OrderedTestWork;
let worker: RunningWorker;

beforeEach(async () => {
  work = new OrderedTestWork();
  worker = await startWorker({ WORKER_CONCURRENCY: '1', WORK_SWEEP_SECONDS: '60' });
});
afterEach(() => worker.stop());

const rows = (): WorkRepository => worker.context.get(WorkRepository);

/** Organizations that have a piece of work each, the first ones first. */
async function queued(count: number, integratorId: number | null = null): Promise<number[]> {
  const organizations = await query<{ id: number }>(
    `INSERT INTO organizations (name, folded_name, integrator_id)
     SELECT $1 || n, $1 || n, $3 FROM generate_series(1, $2::int) n RETURNING id`,
    [randomUUID(), count, integratorId],
  );
  const ids = organizations.map(({ id }) => id);
  await query(`INSERT INTO work (kind, reference, organization_id) SELECT $1, gen_random_uuid(), unnest($2::int[])`, [
    work.kind,
    ids,
  ]);
  return ids;
}

/** What a worker with one slot claims in turn, of work that ends before the next claim. */
async function claimInTurn(times: number): Promise<Claim[]> {
  const [share, walks] = [new FairShare(() => 1), new QueueWalks()];
  const all: Claim[] = [];
  for (let turn = 0; turn < times; turn++) {
    await rows().place([work.kind], terms);
    const next = walks.next([work.kind], () => 1);
    const found = await rows().queues(next, walks.innerWalks);
    expect(found.length).toBeLessThanOrEqual(SIZE);
    const claims = await rows().claim(share.pick(found, []), terms);
    for (const claim of claims) {
      share.serve(claim);
      await rows().finish(claim, 'done');
    }
    walks.advance(next, found, new Set(claims.map(ownerKey)));
    all.push(...claims);
  }
  return all;
}

describe('a claim of work', () => {
  it('reads a few queues of many, and comes round to each before any has its second turn', async () => {
    const ids = await queued(3 * SIZE);
    await query(`INSERT INTO work (kind, reference, organization_id) SELECT $1, gen_random_uuid(), unnest($2::int[])`, [
      work.kind,
      ids,
    ]);
    const served = (await claimInTurn(6 * SIZE)).map(({ organizationId }) => organizationId);
    expect(served.slice(0, ids.length).toSorted()).toEqual(ids.toSorted());
    expect(served.slice(ids.length).toSorted()).toEqual(ids.toSorted());
  });

  it('serves an organization next to an integrator with many, and each of these in turn', async () => {
    const { integratorId } = await make.integrator();
    const ids = await queued(3 * SIZE, integratorId);
    const [other] = await queued(1);
    const served = (await claimInTurn(3 * SIZE + 1)).map(({ organizationId }) => organizationId);
    expect(served.slice(0, 2)).toContain(other);
    expect(served.filter((id) => id !== other).toSorted()).toEqual(ids.toSorted());
  });

  it('finds work behind many organizations that are suspended', async () => {
    const held = await queued(3 * SIZE);
    await query(`UPDATE organizations SET suspended_at = now() WHERE id = ANY($1)`, [held]);
    await queued(1);
    await query(`UPDATE work SET reference = 'free ' || reference WHERE kind = $1 AND organization_id <> ALL ($2)`, [
      work.kind,
      held,
    ]);
    work.finishesAtOnce = true;
    work.registerWith(worker);
    await eventually(async () => expect(work.started).toEqual(['free']));
  });

  it('finds what was not due when it was written, and not before it is', async () => {
    const [id] = await queued(1);
    await query(`UPDATE work SET run_at = now() + interval '1 hour' WHERE organization_id = $1`, [id]);
    expect(await claimInTurn(1)).toEqual([]);
    await query(`UPDATE work SET run_at = now() WHERE organization_id = $1`, [id]);
    expect(await claimInTurn(1)).toHaveLength(1);
  });
});

it('sixteen workers that claim, add, cancel and finish at once end each piece exactly once', async () => {
  const ids = await queued(12);
  const canceled = worker.context.get(CanceledWorkRepository);
  const ends: string[] = [];
  const added: string[] = [];
  const loop = async (number: number): Promise<void> => {
    const [share, walks] = [new FairShare(() => 3), new QueueWalks()];
    for (let turn = 0; turn < 15; turn++) {
      const reference = randomUUID();
      added.push(reference);
      const organizationId = ids[(number + turn) % ids.length];
      await rows().add({ kind: work.kind, reference, organizationId });
      if (turn % 3 === 0) await canceled.cancel(work.kind, reference);
      await rows().place([work.kind], terms);
      const next = walks.next([work.kind], () => 3);
      const found = await rows().queues(next, walks.innerWalks);
      const claims = await rows().claim(share.pick(found, []), terms);
      walks.advance(next, found, new Set(claims.map(ownerKey)));
      for (const claim of claims) {
        if (turn % 5 === 0 && claim.failures === 0) await rows().reschedule(claim, 0);
        else if (await rows().finish(claim, 'done')) ends.push(claim.reference);
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, number) => loop(number)));
  for (let claims = await claimInTurn(1); claims.length > 0; claims = await claimInTurn(1))
    ends.push(...claims.map(({ reference }) => reference));
  expect(ends).toHaveLength(new Set(ends).size);
  const states = await query(
    `SELECT state, count(*)::int AS count FROM work WHERE kind = $1 GROUP BY state ORDER BY state`,
    [work.kind],
  );
  const all = await query<{ count: number }>(`SELECT count(*)::int AS count FROM work WHERE kind = $1`, [work.kind]);
  expect(all).toEqual([{ count: added.length + ids.length }]);
  expect(states).toEqual([
    { state: 'canceled', count: added.length + ids.length - ends.length },
    { state: 'done', count: ends.length },
  ]);
});
