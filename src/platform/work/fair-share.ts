import { growingCache } from '../../kernel/growing-cache';
import type { ActiveWork, Claim } from './claim';

/** The unfinished work of one kind and organization. */
export interface Queue {
  readonly kind: string;
  /** In the index; null if nothing of it waits. */
  readonly key: number | null;
  /** Null for work of the service itself. */
  readonly organizationId: number | null;
  readonly integratorId: number | null;
  /** The number of running rows, on all workers. */
  readonly running: number;
  /** Since when its first row has been waiting for a worker; null if none is waiting. */
  readonly dueSince: Date | null;
}

export interface QueuePick {
  readonly queue: Queue;
  /** The maximum number of rows to claim from it. */
  readonly count: number;
}

/** The slots of a kind, or the part of them that an owner may use. */
interface Share {
  readonly capacity: number;
  /** The turn in which this worker last served it; 0 for never. */
  readonly lastServed: number;
  taken: number;
  running: number;
}

interface Candidate {
  readonly queue: Queue;
  /** Of the organization, on all workers. */
  readonly maxRunning: number;
  readonly slots: Share;
  /** The integrator's, or the organization's own where it has none. */
  readonly integrator: Share;
  readonly organization: Share;
}

type Owner = Omit<Queue, 'key' | 'running' | 'dueSince'>;

/** More than have waiting work at a time. A forgotten owner counts as never served. */
const MAX_REMEMBERED_OWNERS = 10_000;

/**
 * Chooses the queues that a worker claims from, for each kind of work: first the integrator, then the organization with the
 * fewest running rows. Among equals, the one that this worker served least recently.
 *
 * An integrator, or an organization without one, leaves one slot of each kind to all others. An organization of an
 * integrator leaves one more to the other organizations of the integrator. So an owner without running work finds a free
 * slot, unless several others together use all of them.
 */
export class FairShare {
  private readonly turns = growingCache<string, number>(MAX_REMEMBERED_OWNERS);
  private turn = 0;

  constructor(
    private readonly slotsOf: (kind: string) => number,
    private readonly isOnePerOrganization: (kind: string) => boolean = () => false,
  ) {}

  pick(queues: readonly Queue[], active: readonly ActiveWork[]): QueuePick[] {
    const candidates = this.candidates(queues, active);
    const picked = new Map<Queue, number>();
    for (let best = nextOf(candidates); best !== undefined; best = nextOf(candidates)) {
      for (const share of new Set([best.slots, best.integrator, best.organization])) {
        share.taken++;
        share.running++;
      }
      picked.set(best.queue, (picked.get(best.queue) ?? 0) + 1);
    }
    return [...picked].map(([queue, count]) => ({ queue, count }));
  }

  /** Records that the owners of a claim were served. */
  serve(owner: Owner): void {
    this.turn++;
    for (const key of [integratorKey(owner), organizationKey(owner)]) this.turns.set(key, this.turn);
  }

  private candidates(queues: readonly Queue[], active: readonly ActiveWork[]): Candidate[] {
    const shares = new Map<string, Share>();
    const share = (key: string, capacity: number): Share => {
      const known = shares.get(key) ?? { capacity, lastServed: this.turns.get(key) ?? 0, taken: 0, running: 0 };
      shares.set(key, known);
      return known;
    };
    const sharesOf = (owner: Owner): Omit<Candidate, 'queue' | 'maxRunning'> => {
      const slots = this.slotsOf(owner.kind);
      return {
        slots: share(owner.kind, slots),
        integrator: share(integratorKey(owner), allExcept(owner.organizationId === null ? 0 : 1, slots)),
        organization: share(organizationKey(owner), allExcept(owner.integratorId === null ? 1 : 2, slots)),
      };
    };
    for (const { claim, hasSlot } of active) {
      const { slots, ...owners } = sharesOf(claim);
      for (const one of new Set(Object.values(owners))) one.taken++;
      if (hasSlot) slots.taken++;
    }
    const candidates = queues.map((queue) => {
      const maxRunning = this.isOnePerOrganization(queue.kind) ? 1 : Infinity;
      return { queue, maxRunning, ...sharesOf(queue) };
    });
    for (const { queue, integrator, organization } of candidates)
      for (const one of new Set([integrator, organization])) one.running += queue.running;
    return candidates;
  }
}

/** The queue after these claims. If fewer rows than picked could be claimed, it is considered empty. */
export function withClaimed(queue: Queue, picks: readonly QueuePick[], claims: readonly Claim[]): Queue {
  const picked = picks.find((pick) => pick.queue === queue)?.count ?? 0;
  const claimed = claims.filter(
    ({ kind, organizationId }) => kind === queue.kind && organizationId === queue.organizationId,
  ).length;
  const running = queue.running + claimed;
  return { ...queue, running, dueSince: claimed < picked ? null : queue.dueSince };
}

const allExcept = (reserved: number, slots: number): number => Math.max(1, slots - reserved);

const organizationKey = ({ kind, organizationId }: Owner): string => `${kind} organization ${organizationId}`;

const integratorKey = (owner: Owner): string =>
  owner.integratorId === null ? organizationKey(owner) : `${owner.kind} integrator ${owner.integratorId}`;

const hasFreeSlot = ({ taken, capacity }: Share): boolean => taken < capacity;

function nextOf(candidates: readonly Candidate[]): Candidate | undefined {
  let best: Candidate | undefined;
  for (const one of candidates) {
    if (
      one.queue.dueSince === null ||
      !hasFreeSlot(one.slots) ||
      !hasFreeSlot(one.integrator) ||
      !hasFreeSlot(one.organization) ||
      one.organization.running >= one.maxRunning
    )
      continue;
    if (best === undefined || order(one, best) < 0) best = one;
  }
  return best;
}

const order = (one: Candidate, other: Candidate): number =>
  one.integrator.running - other.integrator.running ||
  one.integrator.lastServed - other.integrator.lastServed ||
  one.organization.running - other.organization.running ||
  one.organization.lastServed - other.organization.lastServed ||
  Number(one.queue.dueSince) - Number(other.queue.dueSince);
