import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { clientNetwork } from '../../kernel/client-network';
import { Clock } from '../../kernel/clock';
import { DomainError, notFound } from '../../kernel/domain-error';
import { growingCache } from '../../kernel/growing-cache';
import { everything } from '../../platform/api/scope';
import { FailureThrottle } from '../../platform/auth/failure-throttle';
import { TrackersRepository } from './data/trackers.repository';
import { deliveryIdOf, isSigned } from './domain/hook-signatures';
import { TrackerCredentials } from './tracker-credentials';

const scope = everything('the random part of its address names the tracker, and its signature proves it');

/** Of 24 random bytes. The database refuses some other texts. */
const HOOK = /^[\w-]{32}$/;
/** In a minute. Each process counts for itself. The trackers of many organizations send from the same addresses. */
const MAX_TO_ONE = 60;
const MAX_FROM_ONE = 600;
const MAX_DELIVERIES = 10_000;

/** What trackers send when something has changed. It only says so: the state is then read in the tracker. */
@Injectable()
export class TrackerHooks {
  private readonly receivers: FailureThrottle;
  private readonly senders: FailureThrottle;
  private readonly seen = growingCache<string, true>(MAX_DELIVERIES);

  constructor(
    private readonly trackers: TrackersRepository,
    private readonly credentials: TrackerCredentials,
    private readonly clock: Clock,
  ) {
    this.receivers = new FailureThrottle(MAX_TO_ONE, clock);
    this.senders = new FailureThrottle(MAX_FROM_ONE, clock);
  }

  /** Asked before the body is read. */
  requireRoom(hook: string, ip: string): void {
    const wait = this.senders.fail(clientNetwork(ip)) ?? this.receivers.fail(hook.slice(0, 64));
    if (wait !== undefined)
      throw new DomainError('too_many_requests', `Too many messages. Try again in ${wait} seconds.`, wait);
  }

  /** An unknown address and a wrong signature have one answer. */
  async receive(hook: string, headers: IncomingHttpHeaders, body: Buffer): Promise<void> {
    const tracker = HOOK.test(hook) ? await this.trackers.findByHook(scope, hook) : undefined;
    if (tracker?.sealed == null) throw notFound('Hook');
    const { kind, state } = tracker;
    if (!isSigned(kind, headers, body, this.credentials.read(tracker).hookSecret)) throw notFound('Hook');
    const id = deliveryIdOf(kind, headers);
    const name = `${tracker.id} ${id}`;
    if (id !== null && this.seen.get(name) !== undefined) return;
    if (id !== null) this.seen.set(name, true);
    if (state === 'active') await this.trackers.change(tracker, { nextPoll: this.clock.now() });
  }
}
