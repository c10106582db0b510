import { Injectable } from '@nestjs/common';
import { locationOf, parseTarget, type Target } from '../../engine';
import { canonicalIp } from '../../kernel/cidr';
import { DomainError } from '../../kernel/domain-error';
import type { Scope } from '../../platform/api/scope';
import { mostSpecific, DomainsService } from '../assets';
import { coversInScope, type Event, EventsService, type EventTest, TestScope, reasonNotTestable } from '../events';
import { type CoveringAsset, CoveringAssetsRepository } from './data/covering-assets.repository';
import { isAllowedTarget } from './domain/allowed-target';
import { withClosestPage } from './domain/closest-page';
import { EngineRuntime } from './engine-runtime';

export interface LaunchRequest {
  readonly scope: Scope;
  /** A URL, or a location as the engine writes it. */
  readonly url: string;
  /** The owner of the target where it is known; otherwise the event's organization or that of the most specific asset. */
  readonly organizationId?: number;
  readonly beaconId?: number | null;
  readonly eventSlug?: string | null;
  /** In place of the slug, where the id of the event is stored. */
  readonly eventId?: number | null;
  /** `job` by default; an event in status retesting allows retests only. */
  readonly test?: EventTest;
}

export interface Launchable {
  readonly launchable: true;
  readonly organizationId: number;
  readonly assetId: number;
  readonly eventId: number | null;
  readonly target: Target;
  /** What may be tested of the target's host; null without an event, which does not limit it. */
  readonly testScope: TestScope | null;
}

export interface LaunchRefusal {
  readonly launchable: false;
  /** Says what to do next, and names nothing of other organizations. */
  readonly reason: string;
}

const refuse = (reason: string): LaunchRefusal => ({ launchable: false, reason });

/**
 * Whether the engine may test a target: evaluated at every start, and again when a worker claims the work. It reads only the
 * database, so it may run inside a unit of work.
 */
@Injectable()
export class LaunchRule {
  constructor(
    private readonly assets: CoveringAssetsRepository,
    private readonly domains: DomainsService,
    private readonly events: EventsService,
    private readonly runtime: EngineRuntime,
  ) {}

  async evaluate(request: LaunchRequest): Promise<Launchable | LaunchRefusal> {
    const { url, beaconId = null } = request;
    const target = targetOf(url);
    if ('reason' in target) return target;
    // The same text for a beacon of the caller, of another organization and a missing one.
    if (beaconId !== null) return refuse('There is no route through this beacon: leave out beacon_id.');
    const event = await this.eventOf(request);
    if (event === null) return refuse('There is no such event: name one of yours, or leave out event_slug.');
    return this.evaluateAssets(request, target, event);
  }

  private async evaluateAssets(
    { scope, organizationId, test = 'job' }: LaunchRequest,
    target: Target,
    event: Event | undefined,
  ): Promise<Launchable | LaunchRefusal> {
    const closed = event && reasonNotTestable(event.status, test);
    if (closed) return refuse(closed);
    if (event !== undefined && organizationId !== undefined && event.organizationId !== organizationId) {
      return refuse('There is no such event in this organization.');
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
    if (asset === undefined) return refuse(`No asset covers ${target.host}: add it, or its domain, to your assets.`);
    if (best.some((other) => other.organizationId !== asset.organizationId)) {
      return refuse(
        `Assets of several organizations cover ${target.host}: name an event or limit the key to one of them.`,
      );
    }
    const ownershipRefusal = await this.ownershipRefusal(asset, target);
    if (ownershipRefusal !== null) return ownershipRefusal;
    const { id: assetId, organizationId: assetOwner } = asset;
    return { launchable: true, organizationId: assetOwner, assetId, eventId: event?.id ?? null, target, testScope };
  }

  private async testScopeOf(
    scope: Scope,
    { id }: Event,
    target: Target,
    covering: readonly CoveringAsset[],
  ): Promise<TestScope | LaunchRefusal> {
    if (covering.length === 0) {
      return refuse(
        `${target.host} is not in the scope of the event: put an asset that covers it in its scope, a domain with its subdomains where it lies below that.`,
      );
    }
    const testScope = new TestScope(covering, await this.assets.listExcluded(scope, target.host, id));
    const excluding = testScope.excludedBy(target);
    if (excluding === null) return testScope;
    return refuse(
      `${locationOf(target)} is not in the scope of the event, which excludes ${excluding.value}: test something else, or remove that asset from what is out of scope.`,
    );
  }

  private async ownershipRefusal(asset: CoveringAsset, { host, port }: Target): Promise<LaunchRefusal | null> {
    if (isAllowedTarget(this.runtime.allowed, asset, { host, port })) return null;
    if (canonicalIp(host) === null) {
      if (await this.domains.isVerifiedFor(asset.organizationId, host)) return null;
      return refuse(`The domain of ${host} is not verified: add it to your domains and publish its TXT record.`);
    }
    return refuse(
      `${host} is an address, and its owner cannot be verified: test a name in a verified domain instead, or ask the operator of Assay to allow it (docs/targets.md).`,
    );
  }

  /** Undefined when the request names no event, null when there is no such event. */
  private async eventOf({ scope, eventSlug = null, eventId = null }: LaunchRequest): Promise<Event | null | undefined> {
    if (eventId !== null) return orNull(this.events.getById(scope, eventId));
    return eventSlug === null ? undefined : orNull(this.events.get(scope, eventSlug));
  }
}

async function orNull<T>(event: Promise<T>): Promise<T | null> {
  try {
    return await event;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return null;
    throw error;
  }
}

function targetOf(url: string): Target | LaunchRefusal {
  try {
    const target = parseTarget(url);
    return { ...target, host: canonicalIp(target.host) ?? target.host };
  } catch (error) {
    if (error instanceof DomainError) return refuse(error.message);
    throw error;
  }
}
