import type { HostSeen, NameAddresses } from '../../../engine';
import type { Hosting } from '../../assets/domain/hosting';
import { byImportance, type Change, type KnownAsset, type KnownHost, MISSES_UNTIL_GONE } from './asset-change';
import { portsAfter } from './port-changes';

/** What a look at an asset shows. */
export interface AssetSeen {
  /** Whether its addresses are those of a name, which the DNS decides. */
  readonly isName: boolean;
  readonly addresses: readonly string[];
  readonly hosting: Hosting | null;
  readonly hosts: readonly HostSeen[];
  /** The ports that were tried. */
  readonly watched: ReadonlySet<number>;
  /** The addresses of a name in the DNS, of which some may not be looked at. */
  readonly records?: NameAddresses;
}

/** The knowledge after the look, and the differences. */
export interface Differences {
  readonly asset: KnownAsset;
  readonly changes: readonly Change[];
}

/**
 * The differences between what is known of an asset and a look at it. Silence is no difference: neither a host that did not
 * answer once, nor what a host did not show because it stopped answering during the look.
 */
export function changesBetween(before: KnownAsset, now: AssetSeen, at: Date): Differences {
  const seen = new Map(now.hosts.map((host) => [host.address, host]));
  const known = new Map(before.hosts.map((host) => [host.address, host]));
  const looks = [...new Set([...known.keys(), ...seen.keys()])].map((address) =>
    hostAfter(known.get(address), seen.get(address), { before, now, at, address }),
  );
  const hosts = looks.flatMap(({ host }) => (host === undefined ? [] : [host]));
  const addresses = addressesAfter(before, now);
  const asset = { hosts, addresses, hosting: now.hosting, watched: now.watched, isFirst: false };
  const changes = byImportance([
    ...hostingChanges(before, now),
    ...addressChanges(before, addresses, now),
    ...looks.flatMap(({ changes: ofHost }) => ofHost),
  ]);
  return { asset, changes };
}

interface Look {
  readonly before: KnownAsset;
  readonly now: AssetSeen;
  readonly at: Date;
  readonly address: string;
}

interface HostDifferences {
  /** Undefined if it was never seen. */
  readonly host: KnownHost | undefined;
  readonly changes: readonly Change[];
}

const answers = ({ ports }: HostSeen): boolean => ports.some(({ state }) => state !== 'filtered');

function hostAfter(host: KnownHost | undefined, seen: HostSeen | undefined, look: Look): HostDifferences {
  if (seen === undefined || !answers(seen)) return silentHost(host, seen, look);
  const { ports, changes } = portsAfter(host?.ports ?? [], seen, {
    watchedBefore: host === undefined ? new Set() : look.before.watched,
    watchedNow: look.now.watched,
    at: look.at,
  });
  const { address } = look;
  // An address that the DNS has added is reported as such.
  const wasNamed = !look.now.isName || look.before.addresses.includes(address);
  const isReported = host === undefined ? !look.before.isFirst && !look.now.isName : host.isGone && wasNamed;
  const open = ports.filter(({ isOpen }) => isOpen).map(({ port }) => port);
  const news: Change = { kind: 'host_new', address, port: null, before: null, after: { ports: open } };
  return {
    host: { address, isGone: false, misses: 0, ports },
    changes: isReported ? [news, ...changes] : changes,
  };
}

function silentHost(host: KnownHost | undefined, seen: HostSeen | undefined, { now, address }: Look): HostDifferences {
  if (host === undefined) return { host: undefined, changes: [] };
  // No port was tried, for example because the egress rules forbid it.
  if (host.isGone || seen?.ports.length === 0) return { host, changes: [] };
  const misses = host.misses + 1;
  const isGone = misses >= MISSES_UNTIL_GONE;
  // An address that the DNS no longer has is reported as such.
  const isReported = isGone && (seen !== undefined || !now.isName);
  const open = host.ports.filter(({ isOpen }) => isOpen).map(({ port }) => port);
  const gone: Change = { kind: 'host_gone', address, port: null, before: { ports: open }, after: null };
  return { host: { ...host, misses, isGone }, changes: isReported ? [gone] : [] };
}

/** One answer of the DNS may lack some addresses of a name: those stay until their host counts as gone. */
function addressesAfter(before: KnownAsset, { isName, addresses }: AssetSeen): string[] {
  if (!isName) return [];
  const missing = before.addresses.filter((address) => !addresses.includes(address));
  const recent = missing.filter((address) => {
    const host = before.hosts.find((one) => one.address === address);
    return host !== undefined && host.misses + 1 < MISSES_UNTIL_GONE;
  });
  return [...addresses, ...recent].sort();
}

/** The addresses of a service such as a CDN change often, and say nothing about the asset. */
function addressChanges(before: KnownAsset, addresses: readonly string[], now: AssetSeen): Change[] {
  if (!now.isName || before.isFirst || now.hosting !== null || before.hosting !== null) return [];
  const from = before.addresses.toSorted();
  if (from.join() === addresses.join()) return [];
  const after = { addresses };
  return [{ kind: 'address_changed', address: null, port: null, before: { addresses: from }, after }];
}

function hostingChanges({ hosting, isFirst }: KnownAsset, now: AssetSeen): Change[] {
  if (isFirst || (hosting?.target === now.hosting?.target && hosting?.by === now.hosting?.by)) return [];
  const shown = (one: Hosting | null) => one && { by: one.by, target: one.target };
  return [{ kind: 'hosting_changed', address: null, port: null, before: shown(hosting), after: shown(now.hosting) }];
}
