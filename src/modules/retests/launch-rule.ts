import { Injectable } from '@nestjs/common';
import {
  type Check,
  type FindOtherWww,
  isSilentPort,
  locationOf,
  otherWwwOf,
  type Place,
  type StatedPaths,
  type Target,
  type Via,
} from '../../engine';
import { isClosedToBeacons, isPrivateAddress } from '../../kernel/address-ranges';
import { canonicalIp } from '../../kernel/cidr';
import type { Scope } from '../../platform/api/scope';
import { ResourceOwners } from '../../platform/audit/resource-owners';
import { mostSpecific, DomainsService, Hostings, type HostingState, ObservedAssetsRepository } from '../assets';
import { BeaconLinks, type ReachableBeacon } from '../beacons';
import { coversInScope, type Event, EventsService, TestScope, reasonNotTestable } from '../events';
import { type CoveringAsset, CoveringAssetsRepository } from './data/covering-assets.repository';
import { isAllowedTarget } from './domain/allowed-target';
import { withClosestPage } from './domain/closest-page';
import { consentRefusal, fullRefusal } from './domain/consent-refusal';
import { largestBlock } from './domain/largest-block';
import { EngineRuntime } from './engine-runtime';
import { checkRefusal, experimentsRefusal, portRefusal } from './domain/hosting-limit';
import { silentPortRefusal } from './domain/silent-port';
import {
  type Launchable,
  type LaunchRefusal,
  type LaunchRequest,
  NO_SUCH_BEACON,
  noAsset,
  ownerUnknown,
  refuse,
  statedPathsOf,
} from './launch';
import { resolvedHost } from './resolved-host';

/**
 * Whether the engine may test a target: evaluated at every start, and again when a worker claims the work. It reads only the
 * database, so it may run inside a unit of work.
 */
@Injectable()
export class LaunchRule {
  constructor(
    private readonly assets: CoveringAssetsRepository,
    private readonly domains: DomainsService,
    private readonly hostings: Hostings,
    private readonly observed: ObservedAssetsRepository,
    private readonly events: EventsService,
    private readonly runtime: EngineRuntime,
    private readonly beacons: BeaconLinks,
    private readonly owners: ResourceOwners,
  ) {}

  async evaluate(request: LaunchRequest): Promise<Launchable | LaunchRefusal> {
    const { host } = request.target;
    const target = { ...request.target, host: canonicalIp(host) ?? host };
    const event = await this.eventOf(request);
    if (event === null) return refuse('There is no such event: name one of yours, or leave out event_slug.');
    const beacon = await this.beaconOf(request, event);
    // The same text for a beacon of another organization and a missing one.
    if (beacon === undefined) return refuse(NO_SUCH_BEACON);
    const launch = await this.evaluateAssets(request, target, event, beacon);
    if (!launch.launchable || beacon === null || beacon.isConnected || request.waitsForBeacon === true) return launch;
    return refuse(`The beacon ${beacon.name} is not connected: start its agent (assay-beacon), and try again.`);
  }

  private async evaluateAssets(
    request: LaunchRequest,
    target: Target,
    event: Event | undefined,
    beacon: ReachableBeacon | null,
  ): Promise<Launchable | LaunchRefusal> {
    const { scope, organizationId, test = 'job', depth = 'standard', limitsPorts = false } = request;
    const closed = event && reasonNotTestable(event.status, test);
    if (closed) return refuse(closed);
    if (event !== undefined && organizationId !== undefined && event.organizationId !== organizationId) {
      return refuse('There is no such event in this organization.');
    }
    const owner = beacon?.organizationId ?? event?.organizationId ?? organizationId;
    const candidates = await this.assets.listCandidates(scope, target.host, {
      organizationId: owner,
      eventId: event?.id,
      beaconId: beacon?.id ?? null,
    });
    const coveringAt = (place: Target) => candidates.filter((asset) => coversInScope(asset, place));
    const covering = coveringAt(target);
    const testScope = event === undefined ? null : await this.testScopeOf(scope, event, target, covering, beacon);
    if (testScope !== null && 'reason' in testScope) return testScope;
    const best = bestFor(covering, target);
    const [asset] = best;
    if (asset === undefined) return refuse(noAsset(target, beacon));
    if (best.some((other) => other.organizationId !== asset.organizationId)) {
      return refuse(
        `Assets of several organizations cover ${target.host}: name an event or limit the key to one of them.`,
      );
    }
    const isProven = (place: Place): Promise<boolean> => this.isProven(asset, place);
    const refusal =
      beacon === null ? await this.ownershipRefusal(asset, target) : await this.refusalBehind(beacon, asset, target);
    if (refusal !== null) return refusal;
    const { id: assetId, organizationId: assetOwner } = asset;
    const eventId = event?.id ?? null;
    const hosting = beacon === null ? await this.hostings.ofHost(assetOwner, target.host) : null;
    const closedPort = limitsPorts ? null : (portRefusal(hosting, target) ?? (await this.silentRefusal(asset, target)));
    if (closedPort !== null) return refuse(closedPort);
    const activeRefusal = (place: Target): string | null =>
      consentRefusal(bestFor(coveringAt(place), place), place) ?? experimentsRefusal(hosting, place);
    const writeRefusal = (place: Target): string | null =>
      activeRefusal(place) ?? fullRefusal(bestFor(coveringAt(place), place), place);
    const statedPaths = (place: Target): StatedPaths => statedPathsOf(bestFor(coveringAt(place), place));
    const notActive = depth === 'active' ? activeRefusal(target) : null;
    if (notActive !== null) return refuse(notActive);
    const missingProof = (): Promise<string | null> => this.missingProof(asset, target, beacon);
    const hostingNow = (via: Via): Promise<HostingState | null> => this.hostingNow(assetOwner, target, via);
    const block = beacon === null ? await this.blockOf(scope, assetOwner, target.host) : null;
    const requestsPerSecond = this.runtime.statedPace(asset, event ?? null, hosting);
    const launch = { organizationId: assetOwner, assetId, eventId, requestsPerSecond, target, beacon, isProven, block };
    const isInScope = (place: Target): boolean => testScope?.includes(place) ?? true;
    const otherWww: FindOtherWww = (check, place) => this.otherWww(request, check, place);
    const asked = { hosting, hostingNow, missingProof, otherWww };
    return { launchable: true, ...launch, isInScope, activeRefusal, writeRefusal, statedPaths, ...asked };
  }

  private async otherWww(request: LaunchRequest, check: Check, place: Target): Promise<Launchable | null> {
    const target = otherWwwOf(check, place);
    if (target === null) return null;
    const there = await this.evaluate({ ...request, target, depth: 'standard' });
    return there.launchable && checkRefusal(there.hosting, check) === null ? there : null;
  }

  /** Also where an event has only a part of the block in its scope. */
  private async blockOf(scope: Scope, organizationId: number, host: string): Promise<string | null> {
    if (canonicalIp(host) === null) return null;
    const covering = await this.assets.listCandidates(scope, host, { organizationId, beaconId: null });
    return largestBlock(covering)?.toString() ?? null;
  }

  private async silentRefusal({ id }: CoveringAsset, { port }: Target): Promise<string | null> {
    if (!isSilentPort(port)) return null;
    return silentPortRefusal(port, (await this.observed.findOfVisible(id))?.observePorts ?? null);
  }

  private async hostingNow(organizationId: number, place: Place, via: Via): Promise<HostingState | null> {
    const ownAmong = (names: readonly string[]) => this.domains.verifiedAmong(organizationId, names);
    const { hosting } = await resolvedHost(this.runtime.transport, place, via, ownAmong);
    return this.hostings.decide(organizationId, place.host, hosting);
  }

  private async testScopeOf(
    scope: Scope,
    { id }: Event,
    target: Target,
    covering: readonly CoveringAsset[],
    beacon: ReachableBeacon | null,
  ): Promise<TestScope | LaunchRefusal> {
    if (covering.length === 0) {
      return refuse(
        `${target.host} is not in the scope of the event: add an asset that covers it to the scope, or its parent domain with subdomains.`,
      );
    }
    const testScope = new TestScope(
      covering,
      await this.assets.listExcluded(scope, target.host, id, beacon?.id ?? null),
    );
    const excluding = testScope.excludedBy(target);
    if (excluding === null) return testScope;
    return refuse(
      `${locationOf(target)} is not in the scope of the event, which excludes ${excluding.value}: test something else, or remove that asset from what is out of scope.`,
    );
  }

  /** Whether the operator allows the target, or its name is in a verified domain. */
  private async isProven(asset: CoveringAsset, { host, port }: Place): Promise<boolean> {
    if (isAllowedTarget(this.runtime.allowed, asset, { host, port })) return true;
    return canonicalIp(host) === null && this.domains.isVerifiedFor(asset.organizationId, host);
  }

  /** Addresses, and names that the operator allows, have no record. */
  private async missingProof(asset: CoveringAsset, target: Target, beacon: ReachableBeacon | null) {
    const { host } = target;
    if (beacon !== null || canonicalIp(host) !== null || isAllowedTarget(this.runtime.allowed, asset, target))
      return null;
    return this.domains.missingProof(asset.organizationId, host);
  }

  private async ownershipRefusal(asset: CoveringAsset, target: Target): Promise<LaunchRefusal | null> {
    const { host } = target;
    if (await this.isProven(asset, target)) return null;
    return refuse(
      canonicalIp(host) === null
        ? `The domain of ${host} is not verified: add it to your domains and publish its TXT record.`
        : ownerUnknown(`${host} is an address`),
    );
  }

  /** For a private address the beacon is the proof. The addresses of a name are known only behind the beacon. */
  private async refusalBehind(
    { name, cidrs }: ReachableBeacon,
    asset: CoveringAsset,
    target: Target,
  ): Promise<LaunchRefusal | null> {
    const { host } = target;
    if (canonicalIp(host) === null) return null;
    if (isClosedToBeacons(host)) {
      return refuse(
        `Beacons do not connect to ${host}, which is a loopback, link-local, metadata, translated (NAT64, 6to4, Teredo) or reserved address: test the private address of the host.`,
      );
    }
    if (!cidrs.some((cidr) => cidr.contains(host))) {
      return refuse(
        `${host} is outside of the allowed_cidrs of the beacon ${name} (${cidrs.join(', ')}): change them, or test an address inside of them.`,
      );
    }
    if (isPrivateAddress(host) || (await this.isProven(asset, target))) return null;
    return refuse(ownerUnknown(`${host} is not a private address`));
  }

  /** Null when the request names no beacon, undefined when there is no such beacon. */
  private async beaconOf(
    { scope, organizationId, beaconId = null }: LaunchRequest,
    event: Event | undefined,
  ): Promise<ReachableBeacon | null | undefined> {
    if (beaconId === null) return null;
    const named = [{ type: 'beacon', id: String(beaconId) }] as const;
    const owner = organizationId ?? event?.organizationId ?? (await this.owners.ownerOf(scope, named));
    return owner === null ? undefined : this.beacons.find(scope, owner, beaconId);
  }

  /** Undefined when the request names no event, null when there is no such event. */
  private async eventOf({ scope, eventSlug = null, eventId = null }: LaunchRequest): Promise<Event | null | undefined> {
    if (eventId !== null) return (await this.events.findById(scope, eventId)) ?? null;
    return eventSlug === null ? undefined : ((await this.events.find(scope, eventSlug)) ?? null);
  }
}

const bestFor = (assets: readonly CoveringAsset[], place: Target): CoveringAsset[] =>
  withClosestPage(mostSpecific(assets), place);
