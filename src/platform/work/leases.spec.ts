import type { Claim } from './claim';
import { Leases } from './leases';
import type { WorkRepository } from './work.repository';

const claimOf = (id: number): Claim => ({
  id: String(id),
  kind: 'job',
  reference: String(id),
  organizationId: id,
  integratorId: null,
  assetId: null,
  eventId: null,
  attempt: 1,
  failures: 0,
});

const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Pieces of work that wait and end when the test says so, with one slot for all of them. */
function startLeases() {
  const freed = jest.fn();
  const leases = new Leases({} as WorkRepository, 60, { of: () => 1 }, freed);
  const waits = new Map<number, () => void>();
  const ends = new Map<number, () => void>();
  const back: number[] = [];
  const lost: number[] = [];
  const start = (id: number): Promise<void> =>
    leases.run(claimOf(id), async (claim) => {
      await settled();
      try {
        await claim.whileWaiting?.(() => new Promise<void>((resolve) => void waits.set(id, resolve)));
      } catch {
        lost.push(id);
        return;
      }
      back.push(id);
      await new Promise<void>((resolve) => void ends.set(id, resolve));
    });
  return { leases, freed, start, waits, ends, back, lost };
}

it('gives a slot back while work waits, and returns slots in the order in which the waits have ended', async () => {
  const { leases, freed, start, waits, ends, back } = startLeases();
  for (const id of [1, 2, 3]) void start(id);
  await settled();
  expect([leases.countOf('job'), leases.size, freed.mock.calls.length]).toEqual([0, 3, 3]);
  for (const id of [2, 3, 1]) {
    waits.get(id)?.();
    await settled();
  }
  expect([leases.countOf('job'), back]).toEqual([1, [2]]);
  ends.get(2)?.();
  await settled();
  expect([leases.countOf('job'), back]).toEqual([1, [2, 3]]);
  ends.get(3)?.();
  await settled();
  expect(back).toEqual([2, 3, 1]);
});

it('lets work that waits for a slot end with its lease', async () => {
  const { leases, start, waits, ends, back, lost } = startLeases();
  for (const id of [1, 2]) void start(id);
  await settled();
  for (const id of [1, 2]) waits.get(id)?.();
  await settled();
  leases.abortAll('the worker is stopping');
  await settled();
  expect([back, lost, leases.size]).toEqual([[1], [2], 1]);
  ends.get(1)?.();
  await settled();
  expect(leases.size).toBe(0);
});

it('keeps the slots of what waits besides 20 other pieces', async () => {
  const { leases, start } = startLeases();
  for (let id = 1; id <= 22; id += 1) void start(id);
  await settled();
  expect([leases.size, leases.countOf('job')]).toEqual([22, 2]);
});
