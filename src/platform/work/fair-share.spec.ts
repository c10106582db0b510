import * as fc from 'fast-check';
import type { ActiveWork, Claim } from './claim';
import { FairShare, type Queue, type QueuePick } from './fair-share';

const queue = (organizationId: number | null, more: Partial<Queue> = {}): Queue => ({
  kind: 'job',
  key: null,
  organizationId,
  integratorId: null,
  running: 0,
  dueSince: new Date(organizationId ?? 0),
  ...more,
});

const claimOf = ({ kind, organizationId, integratorId }: Queue, id: number): Claim => ({
  id: String(id),
  kind,
  reference: String(id),
  organizationId,
  integratorId,
  assetId: null,
  eventId: null,
  attempt: 1,
  failures: 0,
});

const claimsOf = (picks: readonly QueuePick[]): Claim[] =>
  picks.flatMap(({ queue: from, count }) => Array.from({ length: count }, (_, number) => claimOf(from, number)));

const withSlot = (claims: readonly Claim[]): ActiveWork[] => claims.map((claim) => ({ claim, hasSlot: true }));

const describePicks = (picks: readonly QueuePick[]): string[] =>
  picks.map(({ queue: { kind, organizationId }, count }) => `${kind} ${organizationId}: ${count}`);

const withSlots = (slots: number): FairShare => new FairShare(() => slots);

describe('FairShare', () => {
  it('gives the same number of slots to all organizations with waiting work', () => {
    expect(describePicks(withSlots(6).pick([queue(1), queue(2), queue(3)], []))).toEqual([
      'job 1: 2',
      'job 2: 2',
      'job 3: 2',
    ]);
  });

  it('gives an organization one slot of a kind of which it runs one piece at a time on all workers', () => {
    const share = new FairShare(
      () => 6,
      (kind) => kind === 'import',
    );
    const queues = [queue(1, { kind: 'import' }), queue(2, { kind: 'import', running: 1 }), queue(3)];
    expect(describePicks(share.pick(queues, []))).toEqual(['import 1: 1', 'job 3: 5']);
  });

  it('prefers the organization with the fewest running rows on all workers', () => {
    const queues = [queue(1, { running: 3 }), queue(2, { running: 1 })];
    expect(describePicks(withSlots(3).pick(queues, []))).toEqual(['job 2: 2', 'job 1: 1']);
  });

  it('prefers the integrator with the fewest running rows, and shares its slots among its organizations', () => {
    const integratorId = 7;
    const queues = [1, 2, 3].map((id) => queue(id, { integratorId }));
    expect(describePicks(withSlots(4).pick([...queues, queue(9)], []))).toEqual(['job 1: 1', 'job 9: 2', 'job 2: 1']);
    // Running rows of the integrator count even if none of them is waiting.
    const busy = queue(4, { integratorId, running: 2, dueSince: null });
    expect(describePicks(withSlots(3).pick([...queues, busy, queue(9)], []))).toEqual(['job 9: 2', 'job 1: 1']);
  });

  it('prefers, among equals, the organization that was served least recently', () => {
    const share = withSlots(1);
    const queues = [queue(1), queue(2), queue(3)];
    const order = [0, 1, 2, 3, 4, 5].map((id) => {
      const [picked = { queue: queue(0) }] = share.pick(queues, []);
      share.serve(claimOf(picked.queue, id));
      return picked.queue.organizationId;
    });
    expect(order).toEqual([1, 2, 3, 1, 2, 3]);
  });

  it('reserves one slot for other integrators, and one more for other organizations of the same integrator', () => {
    expect(describePicks(withSlots(5).pick([queue(1)], []))).toEqual(['job 1: 4']);
    expect(describePicks(withSlots(5).pick([queue(1, { integratorId: 7 })], []))).toEqual(['job 1: 3']);
    const related = [queue(1, { integratorId: 7 }), queue(2, { integratorId: 7 })];
    expect(describePicks(withSlots(5).pick(related, []))).toEqual(['job 1: 2', 'job 2: 2']);
  });

  it('reserves no slot if only one can be used', () => {
    expect(describePicks(withSlots(1).pick([queue(1)], []))).toEqual(['job 1: 1']);
    expect(describePicks(withSlots(2).pick([queue(1, { integratorId: 7 })], []))).toEqual(['job 1: 1']);
  });

  it('gives all slots to work of the service itself', () => {
    expect(describePicks(withSlots(3).pick([queue(null)], []))).toEqual(['job null: 3']);
  });

  it('counts each kind of work separately', () => {
    const share = new FairShare((kind) => (kind === 'job' ? 3 : 2));
    const queues = [queue(1), queue(1, { kind: 'retest' })];
    expect(describePicks(share.pick(queues, []))).toEqual(['job 1: 2', 'retest 1: 1']);
    const full = [1, 2, 3].map((id) => claimOf(queue(id), id));
    expect(describePicks(share.pick(queues, withSlot(full)))).toEqual(['retest 1: 1']);
  });

  it('gives others the slots of what waits without one, which still counts for its organization', () => {
    const waiting = [1, 2].map((id) => ({ claim: claimOf(queue(1), id), hasSlot: false }));
    expect(describePicks(withSlots(3).pick([queue(1), queue(2)], waiting))).toEqual(['job 2: 2']);
    expect(describePicks(withSlots(3).pick([queue(1), queue(2), queue(3)], waiting))).toEqual(['job 2: 2', 'job 3: 1']);
    expect(describePicks(withSlots(3).pick([queue(1), queue(2)], withSlot([claimOf(queue(1), 1)])))).toEqual([
      'job 1: 1',
      'job 2: 1',
    ]);
  });

  it('never exceeds the slots, and never gives the last slot to an owner that uses all others', () => {
    const owners = fc.record({
      kind: fc.constantFrom('job', 'retest'),
      organizationId: fc.integer({ min: 1, max: 6 }),
      running: fc.nat(5),
      dueSince: fc.option(fc.date({ noInvalidDate: true })),
    });
    // The first three organizations belong to one integrator.
    const queues = fc
      .uniqueArray(owners, { selector: ({ kind, organizationId }) => `${kind} ${organizationId}` })
      .map((rows) =>
        rows.map((row): Queue => ({ ...row, key: null, integratorId: row.organizationId <= 3 ? 7 : null })),
      );
    fc.assert(
      fc.property(queues, queues, fc.integer({ min: 1, max: 6 }), (before, now, slots) => {
        const share = withSlots(slots);
        const active = claimsOf(share.pick(before, []));
        const all = [...active, ...claimsOf(share.pick(now, withSlot(active)))];
        for (const kind of ['job', 'retest']) {
          const claims = all.filter((claim) => claim.kind === kind);
          expect(claims.length).toBeLessThanOrEqual(slots);
          const count = (is: (claim: Claim) => boolean): number => claims.filter(is).length;
          expect(count(({ integratorId }) => integratorId === 7)).toBeLessThanOrEqual(Math.max(1, slots - 1));
          for (let id = 1; id <= 6; id++)
            expect(count(({ organizationId }) => organizationId === id)).toBeLessThanOrEqual(
              Math.max(1, slots - (id <= 3 ? 2 : 1)),
            );
        }
      }),
    );
  });
});
