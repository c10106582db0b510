import { LRUCache } from 'lru-cache';
import type { Claim } from './claim';

/** The unfinished work of one kind and organization. */
export interface Queue {
  readonly kind: string;
  /** Null: the service's own work. */
  readonly organizationId: number | null;
  readonly integratorId: number | null;
  /** How many pieces of it are running, on any worker. */
  readonly running: number;
  /** Since when its first piece waits for a worker; null if none does. */
  readonly dueSince: Date | null;
}

export interface QueuePick {
  readonly queue: Queue;
  /** At most so many of its pieces. */
  readonly pieces: number;
}

/** What the slots of a kind, or the share of an owner in them, have room for. */
interface Share {
  readonly capacity: number;
  /** When this worker served it last; 0 for never. */
  readonly lastServed: number;
  taken: number;
  running: number;
}

interface Candidate {
  readonly queue: Queue;
  readonly slots: Share;
  /** The integrator's, or the organization's own where it has none. */
  readonly integrator: Share;
  readonly organization: Share;
}

type Owner = Omit<Queue, 'running' | 'dueSince'>;

/** More owners than have work waiting at a time; one that is forgotten counts as never served. */
const MAX_REMEMBERED_OWNERS = 10_000;

/**
 * From which queues a worker claims next, kind by kind: from the integrator, then the organization, with the fewest
 * running; of equals, from the one that it has served the longest ago.
 *
 * Of the slots of a kind an integrator, or an organization without one, leaves one to all others. An organization of an
 * integrator leaves one more to the integrator's other organizations. So an owner that has nothing running finds a free
 * slot, unless several others together hold all of them.
 */
export class FairShare {
  private readonly turns = new LRUCache<string, number>({ max: MAX_REMEMBERED_OWNERS });
  private turn = 0;

  constructor(private readonly slotsOf: (kind: string) => number) {}

  pick(queues: readonly Queue[], active: readonly Claim[]): QueuePick[] {
    const candidates = this.candidates(queues, active);
    const picked = new Map<Queue, number>();
    for (let best = nextOf(candidates); best !== undefined; best = nextOf(candidates)) {
      for (const share of new Set([best.slots, best.integrator, best.organization])) {
        share.taken++;
        share.running++;
      }
      picked.set(best.queue, (picked.get(best.queue) ?? 0) + 1);
    }
    return [...picked].map(([queue, pieces]) => ({ queue, pieces }));
  }

  /** Notes that the owners of this were served just now. */
  serve(owner: Owner): void {
    this.turn++;
    for (const key of [integratorKey(owner), organizationKey(owner)]) this.turns.set(key, this.turn);
  }

  private candidates(queues: readonly Queue[], active: readonly Claim[]): Candidate[] {
    const shares = new Map<string, Share>();
    const share = (key: string, capacity: number): Share => {
      const known = shares.get(key) ?? { capacity, lastServed: this.turns.get(key) ?? 0, taken: 0, running: 0 };
      shares.set(key, known);
      return known;
    };
    const sharesOf = (owner: Owner): Omit<Candidate, 'queue'> => {
      const slots = this.slotsOf(owner.kind);
      return {
        slots: share(owner.kind, slots),
        integrator: share(integratorKey(owner), allExcept(owner.organizationId === null ? 0 : 1, slots)),
        organization: share(organizationKey(owner), allExcept(owner.integratorId === null ? 1 : 2, slots)),
      };
    };
    for (const claim of active) for (const one of new Set(Object.values(sharesOf(claim)))) one.taken++;
    const candidates = queues.map((queue) => ({ queue, ...sharesOf(queue) }));
    for (const { queue, integrator, organization } of candidates)
      for (const one of new Set([integrator, organization])) one.running += queue.running;
    return candidates;
  }
}

/** As it is after these claims; a queue that gave less than was picked from it has no more to give now. */
export function withClaimed(queue: Queue, picks: readonly QueuePick[], claims: readonly Claim[]): Queue {
  const picked = picks.find((pick) => pick.queue === queue)?.pieces ?? 0;
  const claimed = claims.filter(
    ({ kind, organizationId }) => kind === queue.kind && organizationId === queue.organizationId,
  ).length;
  const running = queue.running + claimed;
  return { ...queue, running, dueSince: claimed < picked ? null : queue.dueSince };
}

const allExcept = (left: number, slots: number): number => Math.max(1, slots - left);

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
      !hasFreeSlot(one.organization)
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
