import { Decisions, type FindOtherWww, type Place, type StatedPaths, type Target, type Via } from '../../engine';
import type { TestDepth } from '../../kernel/test-depth';
import type { Scope } from '../../platform/api/scope';
import type { HostingState } from '../assets';
import type { ReachableBeacon } from '../beacons';
import type { EventTest } from '../events';

export interface LaunchRequest {
  readonly scope: Scope;
  readonly target: Target;
  /** The owner of the target where it is known; otherwise the event's organization or that of the most specific asset. */
  readonly organizationId?: number;
  /** The beacon that the target is behind. */
  readonly beaconId?: number | null;
  /** Whether the caller waits for a beacon that is not connected, as a worker does. */
  readonly waitsForBeacon?: boolean;
  readonly eventSlug?: string | null;
  /** In place of the slug, where the id of the event is stored. */
  readonly eventId?: number | null;
  /** `job` by default; an event in status retesting allows retests only. */
  readonly test?: EventTest;
  /** `active` needs the consent of an admin on the asset. */
  readonly depth?: TestDepth;
  /** Whether the caller itself leaves out ports of hosts that someone else runs, as an observation does. */
  readonly limitsPorts?: boolean;
}

export interface Launchable {
  readonly launchable: true;
  readonly organizationId: number;
  readonly assetId: number;
  readonly eventId: number | null;
  /** The pace that its asset or event states, the lower one of both; null where neither does. */
  readonly requestsPerSecond: number | null;
  /** Why experiments must not be sent to this place of the host: by its own asset, which may be another one. Null if they may. */
  readonly activeRefusal: (place: Target) => string | null;
  /** Why nothing may be sent there that changes the target: its asset allows no `full`. Null if it may. */
  readonly writeRefusal: (place: Target) => string | null;
  /** What admins have decided about addresses there. */
  readonly statedPaths: (place: Target) => StatedPaths;
  readonly target: Target;
  /** Through which the target is tested; null for a direct connection. */
  readonly beacon: ReachableBeacon | null;
  /** Whether the organization may test this place at any address, not only at private ones. */
  readonly isProven: (place: Place) => Promise<boolean>;
  /** Of the organization's blocks, the largest that contains the target's address: everything that is sent to it shares a pace. */
  readonly block: string | null;
  /** Whether the event has this place of the target's host in its scope; without an event nothing limits it. */
  readonly isInScope: (place: Target) => boolean;
  /** Who runs the host, if someone else does, as the last observation saw it. */
  readonly hosting: HostingState | null;
  /** The same by the DNS now. Throws an `ExchangeError` or `ExchangeFailed` where it is unknown. */
  readonly hostingNow: (via: Via) => Promise<HostingState | null>;
  /** Why the record that proves the domain is not found now; null where it is, or none is needed. Uses the network. */
  readonly missingProof: () => Promise<string | null>;
  /** The other name of the site, if the check may run there too. */
  readonly otherWww: FindOtherWww;
}

export interface LaunchRefusal {
  readonly launchable: false;
  /** Says what to do next, and names nothing of other organizations. */
  readonly reason: string;
}

export const NO_SUCH_BEACON = 'There is no such beacon: name one of yours, or leave out beacon_id.';

export const refuse = (reason: string): LaunchRefusal => ({ launchable: false, reason });

export function noAsset({ host }: Target, beacon: ReachableBeacon | null): string {
  return beacon === null
    ? `No asset covers ${host}: add it, or its domain, to your assets.`
    : `No asset behind the beacon ${beacon.name} covers ${host}: add it, or a domain or block that contains it, to your assets with beacon_id ${beacon.id}.`;
}

export const ownerUnknown = (what: string): string =>
  `${what}, and its owner cannot be verified: test a name in a verified domain instead, or ask the operator of Assay to allow it (docs/targets.md).`;

/** Whether a path of the target may be requested: in scope, with the consent, and not excluded by an admin. */
export function isAllowedAt(
  { isInScope, activeRefusal, statedPaths }: Pick<Launchable, 'isInScope' | 'activeRefusal' | 'statedPaths'>,
  target: Target,
): (path: string) => boolean {
  const decisions = new Decisions(statedPaths);
  return (path) => {
    const place = { ...target, path: path.split('?', 1)[0] ?? path };
    return isInScope(place) && activeRefusal(place) === null && !decisions.isForbidden(place, path);
  };
}

interface WithPaths {
  readonly allowedPaths: readonly string[];
  readonly forbiddenPaths: readonly string[];
}

/** Of several assets that are equally close, all must allow an address, and one may forbid it. */
export function statedPathsOf(closest: readonly WithPaths[]): StatedPaths {
  const allowed = closest.map(({ allowedPaths }) => new Set(allowedPaths));
  return {
    allowed: [...(allowed[0] ?? [])].filter((path) => allowed.every((one) => one.has(path))),
    forbidden: closest.flatMap(({ forbiddenPaths }) => forbiddenPaths),
  };
}
