import { CidrMap } from '../../../kernel/cidr-map';
import { inTurns } from '../../../kernel/in-turns';
import { parseUrl } from '../../../kernel/parse-url';
import { hostOf, portOf } from '../../../kernel/web-url';
import type { AssetType } from './asset-value';
import { areSurelyAtOrBelow, readingsOf } from './url-paths';

interface OnAsset {
  readonly beaconId: number | null;
  readonly checkId: string;
  readonly assetType: AssetType;
  readonly assetValue: string;
}

interface OnPage<A> {
  readonly accepted: A;
  readonly order: number;
  readonly readings: readonly string[];
}

/**
 * The accepted checks of an organization that are in effect. An organization may have very many, also on blocks and pages of
 * one host, so they are found by what contains a location, and are not compared with it one by one.
 */
export class AcceptedChecks<A extends OnAsset> {
  private readonly byCheck = new Map<string, AcceptedOnAssets<A>>();
  readonly checkIds = new Set<string>();

  static async of<A extends OnAsset>(accepted: readonly A[]): Promise<AcceptedChecks<A>> {
    const checks = new AcceptedChecks<A>();
    for await (const one of inTurns(accepted)) checks.add(one);
    return checks;
  }

  /** Whether a setting of the asset applies to a location. */
  static isOn(asset: Omit<OnAsset, 'checkId'>, location: string, beaconId: number | null): boolean {
    const checks = new AcceptedChecks();
    const checkId = 'any';
    checks.add({ ...asset, checkId });
    return checks.find(checkId, location, beaconId) !== null;
  }

  /** The one for the findings of a check at a location behind this beacon, of the most specific asset if there are several. */
  find(checkId: string | null, location: string | null, beaconId: number | null): A | null {
    if (checkId === null || location === null) return null;
    const url = parseUrl(location);
    return url === null ? null : (this.byCheck.get(keyOf(checkId, beaconId))?.find(url) ?? null);
  }

  /** Those that are accepted on all of a host behind this beacon. */
  checkIdsOn(host: string, beaconId: number | null): string[] {
    return [...this.checkIds].filter((id) => this.byCheck.get(keyOf(id, beaconId))?.findHost(host) !== undefined);
  }

  private add(accepted: A): void {
    this.checkIds.add(accepted.checkId);
    const key = keyOf(accepted.checkId, accepted.beaconId);
    const check = this.byCheck.get(key) ?? new AcceptedOnAssets<A>();
    this.byCheck.set(key, check);
    check.add(accepted);
  }
}

const keyOf = (checkId: string, beaconId: number | null): string => `${checkId} ${beaconId}`;

/**
 * One check behind one beacon. Narrower than `covers`, which decides what may be tested: a domain does not contain its
 * subdomains, and a URL contains no other page, port or scheme.
 */
class AcceptedOnAssets<A extends OnAsset> {
  private count = 0;
  /** By the origin, and what the path means. */
  private readonly pages = new Map<string, Map<string, OnPage<A>[]>>();
  /** By host and port. */
  private readonly services = new Map<string, A>();
  private readonly hosts = new Map<string, A>();
  private readonly blocks = new CidrMap<A>();

  add(accepted: A): void {
    const { assetType, assetValue } = accepted;
    if (assetType === 'url') this.addPage(accepted, new URL(assetValue));
    else if (assetType === 'cidr') this.blocks.add(assetValue, accepted);
    else addFirst(this.hosts, assetValue, accepted);
  }

  /** The location of a finding as the engine writes it: a page (`https:`), a service (`tcp:`) or a zone (`dns:`). */
  find(location: URL): A | undefined {
    const { protocol } = location;
    const isPage = protocol === 'http:' || protocol === 'https:';
    const own = isPage ? this.findPage(location) : this.services.get(serviceOf(location));
    return own ?? this.findHost(hostOf(location));
  }

  findHost(host: string): A | undefined {
    return this.hosts.get(host) ?? this.blocks.find(host);
  }

  /** A URL contains the pages of its origin at or below its path. If it has no path, it also contains its service. */
  private addPage(accepted: A, url: URL): void {
    if (url.pathname === '/') addFirst(this.services, serviceOf(url), accepted);
    const ofOrigin = this.pages.get(originOf(url)) ?? new Map<string, OnPage<A>[]>();
    this.pages.set(originOf(url), ofOrigin);
    const page = { accepted, order: this.count++, readings: readingsOf(url.pathname) };
    for (const reading of new Set(page.readings)) {
      const pages = ofOrigin.get(reading) ?? [];
      ofOrigin.set(reading, pages);
      pages.push(page);
    }
  }

  /** The first one, because all URLs are equally specific. */
  private findPage(location: URL): A | undefined {
    const ofOrigin = this.pages.get(originOf(location));
    if (ofOrigin === undefined) return undefined;
    const readings = readingsOf(location.pathname);
    let first: OnPage<A> | undefined;
    for (const above of pathAndParents(readings[0] ?? '')) {
      const page = ofOrigin.get(above)?.find((one) => areSurelyAtOrBelow(readings, one.readings));
      if (page !== undefined && (first === undefined || page.order < first.order)) first = page;
    }
    return first?.accepted;
  }
}

const serviceOf = (url: URL): string => `${hostOf(url)} ${portOf(url)}`;
const originOf = (url: URL): string => `${url.protocol} ${serviceOf(url)}`;

function addFirst<A>(map: Map<string, A>, key: string, accepted: A): void {
  if (!map.has(key)) map.set(key, accepted);
}

/** `/a/b`, `/a` and the empty text for `/a/b`. */
function* pathAndParents(path: string): Generator<string> {
  for (let above = path; above !== ''; above = above.slice(0, above.lastIndexOf('/'))) yield above;
  yield '';
}
