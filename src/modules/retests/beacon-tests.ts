import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { DialRules, EvidenceBeacon, Via } from '../../engine';
import type { TraceContext } from '../../kernel/trace-context';
import { everything } from '../../platform/api/scope';
import { CallbacksService } from '../callbacks';
import { type BeaconLink, BeaconLinks, StreamFailure, type ReachableBeacon } from '../beacons';
import { BeaconRoute } from './beacon-route';
import { ExchangeTraces } from './exchange-traces';
import { EngineRuntime } from './engine-runtime';
import type { Launchable } from './launch';

const scope = everything('a worker tests the targets of all organizations');

const MAX_RUNS = 3;

/** How long a test waits for a beacon that is not connected. */
@Injectable()
export class BeaconWaits {
  connectMs = 20_000;
  pollMs = 500;
}

/** One piece of work, and the time that is left for all of its runs. */
interface TestWork {
  readonly reference: string;
  readonly attempt: number;
  readonly limitMs?: number;
  readonly trace?: TraceContext;
}

type TestedLaunch = Pick<
  Launchable,
  'organizationId' | 'beacon' | 'isProven' | 'block' | 'isInScope' | 'requestsPerSecond' | 'activeRefusal' | 'target'
>;

/** What one run of a test uses. */
export interface TestRun extends DialRules {
  /** Aborted when the work is stopped or the link is lost. */
  readonly signal: AbortSignal;
  readonly organizationId: number;
  /** For evidence; null without a beacon. */
  readonly beacon: EvidenceBeacon | null;
  readonly observe: Via['observe'];
  readonly isInScope: Via['isInScope'];
  readonly isOwn?: Via['isOwn'];
  readonly callbacks?: Via['callbacks'];
  readonly block?: string;
  readonly pace?: Via['pace'];
  readonly clock?: Via['clock'];
}

/** The test has no result, because its beacon was not connected or did not stay so. The message is for the user. */
export class BeaconLostError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'BeaconLostError';
  }
}

/** Where a target was reached, as a beginning of the reason of a result. */
export const throughBeacon = (beacon: { readonly name: string } | null, reason: string): string =>
  beacon === null ? reason : `through the beacon ${beacon.name}: ${reason}`;

/**
 * Runs a test directly or through the beacon of its target. If the link is lost, the whole test runs again, because the
 * parts of two runs do not make one result.
 */
@Injectable()
export class BeaconTests {
  constructor(
    private readonly links: BeaconLinks,
    private readonly waits: BeaconWaits,
    private readonly traces: ExchangeTraces,
    private readonly engine: EngineRuntime,
    private readonly callbacks: CallbacksService,
  ) {}

  async run<T>(
    { organizationId, beacon, isProven, block, isInScope, requestsPerSecond, activeRefusal, target }: TestedLaunch,
    work: TestWork,
    signal: AbortSignal,
    test: (run: TestRun) => Promise<T>,
  ): Promise<T> {
    const observe = this.traces.observerOf(work);
    const pace = this.engine.paceOf(requestsPerSecond);
    if (beacon === null) {
      // Only where experiments may be sent: a call is something that a test makes the target do.
      const callbacks = activeRefusal(target) === null ? this.callbacks.forTest() : undefined;
      const direct = { signal, organizationId, beacon: null, observe, isInScope, isOwn: isProven, callbacks, ...pace };
      return test(block === null ? direct : { ...direct, block: `block ${block}` });
    }
    const end = performance.now() + (work.limitMs ?? Infinity);
    for (let run = 1; run <= MAX_RUNS; run += 1) {
      const { link, connected } = await this.connect(beacon, work, { signal, end, isFirst: run === 1 });
      const route = new BeaconRoute(connected, link, isProven);
      const { id, name } = connected;
      const { agentVersion: agent_version } = link;
      const either = AbortSignal.any([signal, route.lost]);
      try {
        const via = { signal: either, organizationId, route, observe, isInScope, ...pace };
        const result = await test({ ...via, beacon: { id, name, agent_version } });
        either.throwIfAborted();
        return result;
      } catch (error) {
        signal.throwIfAborted();
        if (!route.lost.aborted) throw error;
      } finally {
        link.close();
      }
    }
    throw new BeaconLostError(
      `The beacon ${beacon.name} disconnected during each of ${MAX_RUNS} runs of the test. Check its connection, and start the test again.`,
    );
  }

  /** Waits until an agent of the beacon is connected. */
  private async connect(
    { id, organizationId, name }: ReachableBeacon,
    { reference, attempt, trace }: TestWork,
    { signal, end, isFirst }: { signal: AbortSignal; end: number; isFirst: boolean },
  ): Promise<{ link: BeaconLink; connected: ReachableBeacon }> {
    const { connectMs, pollMs } = this.waits;
    const waitEnd = Math.min(end, performance.now() + connectMs);
    for (;;) {
      signal.throwIfAborted();
      const connected = await this.links.find(scope, organizationId, id);
      if (connected === undefined) {
        throw new BeaconLostError(`The beacon ${name} was deleted${isFirst ? '' : ' during the test'}.`);
      }
      const link = connected.isConnected ? await this.open(connected, { reference, attempt, trace }, signal) : null;
      if (link !== null) return { link, connected };
      if (performance.now() >= waitEnd) throw notConnected(name, connectMs / 1_000, isFirst);
      await delay(pollMs, undefined, { signal });
    }
  }

  /** Null if the agent is gone by now. */
  private async open(
    beacon: ReachableBeacon,
    work: Pick<TestWork, 'reference' | 'attempt' | 'trace'>,
    signal: AbortSignal,
  ): Promise<BeaconLink | null> {
    try {
      return await this.links.open(beacon, work, signal);
    } catch (error) {
      if (error instanceof StreamFailure) return null;
      throw error;
    }
  }
}

const notConnected = (name: string, seconds: number, isFirst: boolean): BeaconLostError =>
  new BeaconLostError(
    isFirst
      ? `The beacon ${name} is not connected, and did not connect within ${seconds} seconds. Start its agent, and start the test again.`
      : `The beacon ${name} disconnected during the test and did not come back within ${seconds} seconds.`,
  );
