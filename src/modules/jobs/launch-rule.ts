import { Injectable } from '@nestjs/common';
import { locationOf, parseTarget, type Target } from '../../engine';
import { canonicalIp } from '../../kernel/cidr';
import { DomainError } from '../../kernel/domain-error';
import type { Scope } from '../../platform/auth/scope';
import { mostSpecific, DomainsService, isExactAddress } from '../assets';
import { type Event, EventsService, type EventTest, reasonNotTestable } from '../events';
import { type CoveringAsset, CoveringAssetsRepository } from './data/covering-assets.repository';
import { withClosestPage } from './domain/closest-page';
import { coversInScope } from './domain/scope-coverage';
import { TestScope } from './domain/test-scope';
import { EngineRuntime } from './engine-runtime';

export interface LaunchQuestion {
  readonly scope: Scope;
  /** A URL, or a location as the engine writes it. */
  readonly url: string;
  /** Where it is known whose target this is; else it belongs to the event's organization or to that of the closest asset. */
  readonly organizationId?: number;
  readonly beaconId?: number | null;
  readonly eventSlug?: string | null;
  /** In place of its slug, where it was written down which event it is. */
  readonly eventId?: number | null;
  /** What for, where it is no job: an event that has gone over to retesting is there for nothing else. */
  readonly test?: EventTest;
}

export interface Launchable {
  readonly launchable: true;
  readonly organizationId: number;
  readonly assetId: number;
  readonly eventId: number | null;
  readonly target: Target;
  /** What of the target's host may be tested; null where no event says so. */
  readonly testScope: TestScope | null;
}

export interface NotLaunchable {
  readonly launchable: false;
  /** With the remedy, in words that name nobody else. */
  readonly reason: string;
}

const no = (reason: string): NotLaunchable => ({ launchable: false, reason });

/**
 * What the engine may be sent to: asked at every start, and again when a worker claims the work. It asks the database
 * alone, so it may run inside of a unit of work.
 */
@Injectable()
export class LaunchRule {
  constructor(
    private readonly assets: CoveringAssetsRepository,
    private readonly domains: DomainsService,
    private readonly events: EventsService,
    private readonly runtime: EngineRuntime,
  ) {}

  async judge(question: LaunchQuestion): Promise<Launchable | NotLaunchable> {
    const { url, beaconId = null } = question;
    const target = targetOf(url);
    if ('reason' in target) return target;
    // In the same words for one of their own, of somebody else's and of nobody's.
    if (beaconId !== null) return no('There is no route through this beacon: leave out beacon_id.');
    const event = await this.eventOf(question);
    if (event === null) return no('There is no such event: name one of yours, or leave out event_slug.');
    return this.judgeAssets(question, target, event);
  }

  private async judgeAssets(
    { scope, organizationId, test = 'job' }: LaunchQuestion,
    target: Target,
    event: Event | undefined,
  ): Promise<Launchable | NotLaunchable> {
    const closed = event && reasonNotTestable(event.status, test);
    if (closed) return no(closed);
    if (event !== undefined && organizationId !== undefined && event.organizationId !== organizationId) {
      return no('There is no such event in this organization.');
    }
    const owner = event?.organizationId ?? organizationId;
    const candidates = await this.assets.listCandidates(scope, target.host, {
      organizationId: owner,
      eventId: event?.id,
    });
    const covering = candidates.filter((asset) => coversInScope(asset, target));
    const testScope = event === undefined ? null : await this.testScopeOf(scope, event, target, covering);
    if (testScope !== null && 'reason' in testScope) return testScope;
    const best = withClosestPage(mostSpecific(covering), target);
    const [asset] = best;
    if (asset === undefined) return no(`No asset covers ${target.host}: add it, or its domain, to your assets.`);
    if (best.some((other) => other.organizationId !== asset.organizationId)) {
      return no(`Assets of several organizations cover ${target.host}: name an event or limit the key to one of them.`);
    }
    const unproved = await this.unproved(asset, target);
    if (unproved !== null) return unproved;
    const { id: assetId, organizationId: whose } = asset;
    return { launchable: true, organizationId: whose, assetId, eventId: event?.id ?? null, target, testScope };
  }

  private async testScopeOf(
    scope: Scope,
    { id }: Event,
    target: Target,
    covering: readonly CoveringAsset[],
  ): Promise<TestScope | NotLaunchable> {
    if (covering.length === 0) {
      return no(
        `${target.host} is not in the scope of the event: put an asset that covers it in its scope, a domain with its subdomains where it lies below that.`,
      );
    }
    const testScope = new TestScope(covering, await this.assets.listExcluded(scope, target.host, id));
    const excluding = testScope.excludedBy(target);
    if (excluding === null) return testScope;
    return no(
      `${locationOf(target)} is not in the scope of the event, which excludes ${excluding.value}: test something else, or remove that asset from what is out of scope.`,
    );
  }

  private async unproved(asset: CoveringAsset, { host, port }: Target): Promise<NotLaunchable | null> {
    if (canonicalIp(host) === null) {
      if (await this.domains.isVerifiedFor(asset.organizationId, host)) return null;
      return no(`The domain of ${host} is not verified: add it to your domains and publish its TXT record.`);
    }
    if (isExactAddress(asset) && this.runtime.isAllowed({ address: host, port })) return null;
    return no(`${host} is an address, and nobody can prove whose it is: test a name in a verified domain instead.`);
  }

  /** Undefined where none is asked for, null where there is no such event. */
  private async eventOf({
    scope,
    eventSlug = null,
    eventId = null,
  }: LaunchQuestion): Promise<Event | null | undefined> {
    if (eventId !== null) return orNull(this.events.getById(scope, eventId));
    return eventSlug === null ? undefined : orNull(this.events.get(scope, eventSlug));
  }
}

async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return null;
    throw error;
  }
}

function targetOf(url: string): Target | NotLaunchable {
  try {
    const target = parseTarget(url);
    return { ...target, host: canonicalIp(target.host) ?? target.host };
  } catch (error) {
    if (error instanceof DomainError) return no(error.message);
    throw error;
  }
}
