import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { everything } from '../../../platform/api/scope';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { type Asset, AssetsService, DomainsService } from '../../assets';
import { BeaconLostError } from '../../retests';
import { BlockObserver } from '../block-observer';
import { type BegunObservation, ObservationsRepository } from '../data/observations.repository';
import type { AssetSeen } from '../domain/changes-between';
import { observablePorts } from '../domain/observable-ports';
import { HostObserver, LookFailedError } from '../host-observer';
import { ObservationResults } from '../observation-results';
import { type Observable, ObservationRule } from '../observation-rule';
import { OBSERVATION_KIND } from '../observations.service';

const scope = everything('a worker runs the observations of all organizations');

/** From the start of the first attempt, for all attempts together. */
const MAX_DURATION_MS = 30 * 60_000;

const TIME_LIMIT_EXCEEDED = `It did not finish within ${MAX_DURATION_MS / 60_000} minutes. Choose fewer ports.`;

/** A block takes longer. Then the next observation continues where this one ended. */
const BLOCK_DURATION_MS = 3 * 3_600_000;
const WINDOW_CLOSED = 'The window of its event closed before it ended.';

const msUntilEndOf = ({ until }: BegunObservation): number =>
  until === null ? Infinity : until.getTime() - Date.now();

const lateReasonOf = (begun: BegunObservation): string =>
  msUntilEndOf(begun) <= 0 ? WINDOW_CLOSED : TIME_LIMIT_EXCEEDED;

/** How often it is checked that the observation still exists: one is deleted with its asset. */
const CHECK_MS = 2_000;

/** What one attempt looks at. */
interface Look {
  readonly claim: Claim;
  readonly begun: BegunObservation;
  readonly asset: Asset;
  readonly rule: Observable;
  readonly limitMs: number;
}

/** Looks at an asset, outside any transaction. */
@Injectable()
@WorkKind(OBSERVATION_KIND)
export class ObservationRun implements WorkHandler {
  readonly maxConcurrent = 3;

  constructor(
    private readonly observations: ObservationsRepository,
    private readonly assets: AssetsService,
    private readonly domains: DomainsService,
    private readonly rule: ObservationRule,
    private readonly observer: HostObserver,
    private readonly blocks: BlockObserver,
    private readonly results: ObservationResults,
  ) {}

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const begun = await this.observations.begin(scope, claim.reference, claim.attempt);
    const asset = begun && (await this.assets.find(scope, begun.assetId));
    // It is over, or was deleted with its asset: only the claim is left to complete.
    if (begun === undefined || asset === undefined) return this.completion(claim, async () => undefined);
    const rule = await this.rule.evaluate(scope, asset);
    if (!rule.observable) return this.failure(claim, rule.reason);
    const longest = MAX_DURATION_MS + (rule.subject.block === null ? 0 : BLOCK_DURATION_MS) - begun.sinceStartMs;
    const limitMs = Math.min(longest, msUntilEndOf(begun));
    if (limitMs <= 0) return this.failure(claim, lateReasonOf(begun));
    return this.look({ claim, begun, asset, rule, limitMs }, signal);
  }

  abandon(claim: Claim, error: string, limit?: string): Completion {
    return this.failure(claim, limit ?? 'It could not run because of an internal error.', { error });
  }

  private async look(look: Look, signal: AbortSignal): Promise<Completion> {
    const { claim, begun, limitMs } = look;
    const timeLimit = AbortSignal.timeout(Math.ceil(limitMs));
    const deleted = new AbortController();
    const either = AbortSignal.any([signal, timeLimit, deleted.signal]);
    const ended = new AbortController();
    const watched = this.abortWhenDeleted(begun, claim.attempt, deleted, ended.signal);
    try {
      const apply = await this.seenBy(look, either);
      either.throwIfAborted();
      return this.completion(claim, apply);
    } catch (error) {
      // An interrupted observation starts again in another attempt.
      signal.throwIfAborted();
      if (deleted.signal.aborted) return this.completion(claim, async () => undefined);
      if (timeLimit.aborted) return this.failure(claim, lateReasonOf(begun));
      if (error instanceof LookFailedError || error instanceof BeaconLostError)
        return this.failure(claim, error.message);
      throw error;
    } finally {
      ended.abort();
      await watched;
    }
  }

  /** Returns the completion that stores the result. */
  private async seenBy(
    { claim, begun, asset, rule, limitMs }: Look,
    signal: AbortSignal,
  ): Promise<() => Promise<void>> {
    const { reference, attempt, trace } = claim;
    const { subject, launch, terms } = rule;
    const work = { reference, attempt, limitMs, ...(trace !== undefined && { trace }) };
    const { host, isName, port, isTls, block } = subject;
    if (block !== null) {
      const endsInMs = Math.min(BLOCK_DURATION_MS - begun.sinceStartMs, msUntilEndOf(begun));
      const { id: observationId, requestsPerSecond } = begun;
      return this.blocks.look({ claim, observationId, asset, block, work, endsInMs, requestsPerSecond }, signal);
    }
    const { organizationId } = launch;
    const portsOf = (hosting: AssetSeen['hosting']): readonly number[] => observablePorts(hosting, terms);
    const ownAmong = (names: readonly string[]) => this.domains.verifiedAmong(organizationId, names);
    const { requestsPerSecond } = begun;
    const url = port === null ? null : { port, isTls };
    const request = { host, isName, launch, portsOf, url, ownAmong, requestsPerSecond, work };
    const seen = await this.observer.look(request, signal);
    return () => this.results.apply(reference, seen);
  }

  private async abortWhenDeleted(
    { id }: BegunObservation,
    attempt: number,
    deleted: AbortController,
    ended: AbortSignal,
  ): Promise<void> {
    try {
      while (await this.observations.isCurrent(id, attempt)) await delay(CHECK_MS, undefined, { signal: ended });
      deleted.abort();
    } catch {
      // The look has ended, or the database is unavailable, which the lease notices.
    }
  }

  private failure(claim: Claim, reason: string, metadata?: Record<string, unknown>): Completion {
    return this.completion(claim, () => this.results.fail(claim.reference, reason), metadata);
  }

  private completion(claim: Claim, apply: () => Promise<void>, metadata?: Record<string, unknown>): Completion {
    const operation = 'asset.observation_finish';
    return { audit: workAudit(claim, { operation, resourceType: 'observation', metadata }), apply };
  }
}
