import { setTimeout as delay } from 'node:timers/promises';
import { FairQueue } from '../../kernel/fair-queue';
import type { Pace } from './limits';

/** The request of a process for time at a host. */
export interface Reservation {
  /** Milliseconds of the host's time; 0 if the process has some left. */
  readonly ms: number;
  /** The exchanges that run, including those that it wants to start. */
  readonly running: number;
  readonly wanted: number;
  /** The maximum of concurrent exchanges in all processes together. */
  readonly most: number;
}

export interface Reserved {
  /** The milliseconds until the reserved time begins. */
  readonly waitMs: number;
  /** How many exchanges this process may run at the same time. */
  readonly slots: number;
}

/** Coordinates the pace with other processes that talk to the same hosts. */
export interface SharedPace {
  reserve(host: string, reservation: Reservation): Promise<Reserved>;
  /** Called when no exchange with this host runs any more. */
  leave(host: string): Promise<void>;
}

/** Enough for one exchange at the default pace; at higher paces, it covers several exchanges. */
const LEAST_RESERVED_MS = 250;

/** The interval for asking again if other processes use all exchanges that a host allows. */
const RETRY_MS = 250;
/** How often a process reports that its exchanges with a host are still running. Without reports, others take its slots. */
const RENEWAL_MS = 2_500;

/** Per address, so that exchanges that take long cannot hold any number of connections. */
const MOST_LENT = 8;

/** Ends an exchange. With `lend` it continues, but other organizations may use its slot. */
export type Leave = (how?: 'lend') => void;

type Waiting = Pick<Pace, 'concurrency'> & { readonly admit: () => boolean };

interface AddressQueue {
  /** Exchanges that have a slot and have not lent it. */
  active: number;
  /** The organizations that have lent a slot. They do not get another one for it. */
  readonly lent: string[];
  /** Active exchanges that are not waiting for their start. */
  running: number;
  /** How many may run in this process, as agreed with the others. */
  slots: number;
  nextStart: number;
  /** The end of the reserved time at the host. */
  reservedUntil: number;
  /** One start at a time: the next one may have to wait for an exchange of another process. */
  starts: Promise<unknown>;
  reservations: Promise<unknown>;
  /** Organizations take turns. A waiting exchange returns whether it takes the slot. */
  readonly waiting: FairQueue<Waiting>;
  last?: string;
  renewal?: NodeJS.Timeout;
}

/** The slots that count for an organization: all that are not lent, and those that it has lent. */
const heldBy = ({ active, lent }: AddressQueue, who: string): number =>
  active + lent.filter((one) => one === who).length;

function takeTurn(queueFor: AddressQueue, { perSecond }: Pace): number {
  const start = Math.max(Date.now(), queueFor.nextStart);
  queueFor.nextStart = start + 1000 / perSecond;
  return start;
}

/** Limits how many exchanges with one address run at once and start each second, in all processes together. */
export class RateLimiter {
  private readonly queues = new Map<string, AddressQueue>();

  constructor(
    private readonly pace: Pace,
    private readonly shared?: SharedPace,
  ) {}

  /** Waits for a slot at this address, in turn with other organizations. The caller releases it with the returned function. */
  async acquire(address: string, signal: AbortSignal, pace = this.pace, organizationId?: number): Promise<Leave> {
    const queueFor = this.queueFor(address);
    const tenant = String(organizationId);
    await this.acquireSlot(queueFor, signal, pace, tenant);
    const started = queueFor.starts.then(() => this.start(address, queueFor, pace, signal));
    queueFor.starts = started.catch(() => undefined);
    const start = await started.catch((error: unknown) => {
      this.releaseSlot(address, queueFor);
      throw error;
    });
    const { lent } = queueFor;
    let isLent = false;
    const release: Leave = (how) => {
      if (how === 'lend' && lent.length >= MOST_LENT) return;
      if (isLent) lent.splice(lent.indexOf(tenant), 1);
      else queueFor.running -= 1;
      if (how === 'lend') lent.push(tenant);
      this.releaseSlot(address, queueFor, !isLent);
      isLent = true;
    };
    try {
      if (start > Date.now()) await delay(start - Date.now(), undefined, { signal });
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }

  /** Waits until an exchange that has a slot may send one more request. */
  async waitForTurn(address: string, signal: AbortSignal, pace = this.pace): Promise<void> {
    const queueFor = this.queueFor(address);
    const start = await this.inTurn(queueFor, async () => {
      signal.throwIfAborted();
      if (this.shared !== undefined) await this.hasReserved(this.shared, address, queueFor, pace);
      return takeTurn(queueFor, pace);
    });
    if (start > Date.now()) await delay(start - Date.now(), undefined, { signal });
  }

  private async start(address: string, queueFor: AddressQueue, pace: Pace, signal: AbortSignal): Promise<number> {
    for (;;) {
      const start = await this.inTurn(queueFor, async () => {
        signal.throwIfAborted();
        if (this.shared !== undefined && !(await this.hasReserved(this.shared, address, queueFor, pace))) return null;
        signal.throwIfAborted();
        queueFor.running += 1;
        queueFor.renewal ??= this.renewal(address, queueFor, pace);
        return takeTurn(queueFor, pace);
      });
      if (start !== null) return start;
      await delay(RETRY_MS, undefined, { signal });
    }
  }

  private inTurn<T>(queueFor: AddressQueue, reserve: () => Promise<T>): Promise<T> {
    const reserved = queueFor.reservations.then(reserve);
    queueFor.reservations = reserved.catch(() => undefined);
    return reserved;
  }

  /** Whether this process may start one more exchange with the host. */
  private async hasReserved(shared: SharedPace, address: string, queueFor: AddressQueue, pace: Pace): Promise<boolean> {
    const gap = 1000 / pace.perSecond;
    const { running } = queueFor;
    const hasTime = Math.max(Date.now(), queueFor.nextStart) + gap <= queueFor.reservedUntil;
    if (hasTime && running < queueFor.slots) return true;
    const ms = hasTime ? 0 : Math.max(gap, LEAST_RESERVED_MS);
    const waitMs = await this.reserve(shared, address, queueFor, pace, ms);
    if (ms > 0) {
      queueFor.nextStart = Math.max(queueFor.nextStart, Date.now() + waitMs);
      queueFor.reservedUntil = queueFor.nextStart + ms;
    }
    return running < queueFor.slots;
  }

  /** Returns the milliseconds until the reserved time begins. */
  private async reserve(
    shared: SharedPace,
    address: string,
    queueFor: AddressQueue,
    { concurrency: most }: Pace,
    ms: number,
  ): Promise<number> {
    const { running, active: wanted } = queueFor;
    // If there is no answer, this process keeps its own pace.
    const alone = { waitMs: 0, slots: most };
    const { waitMs, slots } = await shared.reserve(address, { ms, running, wanted, most }).catch(() => alone);
    queueFor.slots = slots;
    return waitMs;
  }

  private renewal(address: string, queueFor: AddressQueue, pace: Pace): NodeJS.Timeout | undefined {
    const { shared } = this;
    if (shared === undefined) return undefined;
    const renew = (): unknown => this.inTurn(queueFor, () => this.reserve(shared, address, queueFor, pace, 0));
    return setInterval(renew, RENEWAL_MS).unref();
  }

  private queueFor(address: string): AddressQueue {
    const queueFor = this.queues.get(address) ?? {
      active: 0,
      lent: [],
      running: 0,
      slots: 0,
      nextStart: 0,
      reservedUntil: 0,
      starts: Promise.resolve(),
      reservations: Promise.resolve(),
      waiting: new FairQueue(),
    };
    this.queues.set(address, queueFor);
    return queueFor;
  }

  private async acquireSlot(queueFor: AddressQueue, signal: AbortSignal, { concurrency }: Pace, tenant: string) {
    signal.throwIfAborted();
    if (heldBy(queueFor, tenant) < concurrency) {
      queueFor.active += 1;
      queueFor.last = tenant;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const aborted = (): void => reject(signal.reason);
      const admit = (): boolean => {
        if (signal.aborted) return false;
        signal.removeEventListener('abort', aborted);
        resolve();
        return true;
      };
      queueFor.waiting.add(tenant, { concurrency, admit });
      signal.addEventListener('abort', aborted, { once: true });
    });
  }

  /** `isFree` is for the slot itself. A lent slot was passed on before, and its organization may have another one. */
  private releaseSlot(address: string, queueFor: AddressQueue, isFree = true): void {
    const { waiting, lent } = queueFor;
    let mayPass = isFree;
    if (mayPass) queueFor.active -= 1;
    const mayRun = (tenant: string, { concurrency }: Waiting): boolean =>
      (mayPass && !lent.includes(tenant)) || heldBy(queueFor, tenant) < concurrency;
    // An exchange that only asks again after each answer is behind one that always waits; the latter had its turn before.
    const take = () => waiting.take((one, item) => one !== queueFor.last && mayRun(one, item)) ?? waiting.take(mayRun);
    // The slot passes directly to the next waiter, so that no new caller can overtake it.
    for (let next = take(); next !== undefined; next = take()) {
      if (!next.item.admit()) continue;
      queueFor.active += 1;
      queueFor.last = next.tenant;
      mayPass = false;
    }
    if (queueFor.active + lent.length > 0) return;
    clearInterval(queueFor.renewal);
    queueFor.renewal = undefined;
    const forget = (): void => {
      if (queueFor.active + lent.length > 0 || this.queues.get(address) !== queueFor) return;
      this.queues.delete(address);
      // If this fails, the reservation expires.
      this.shared?.leave(address).catch(() => undefined);
    };
    // Kept until its time has passed, so that exchanges that follow each other share the rate limit and a reservation.
    setTimeout(forget, Math.max(0, Math.max(queueFor.nextStart, queueFor.reservedUntil) - Date.now())).unref();
  }
}
