import { CidrMap } from '../../../kernel/cidr-map';
import { inTurns } from '../../../kernel/in-turns';
import { parseUrl } from '../../../kernel/parse-url';
import { hostOf, portOf } from '../../../kernel/web-url';
import type { TypedAssetValue } from '../../assets/domain/asset-coverage';
import { recognizeAsset } from '../../assets/domain/asset-value';
import { TestScope } from './test-scope';

/** An asset of a scope, with its entry. */
interface ScopeItem {
  readonly asset: TypedAssetValue & { readonly id: number; readonly beaconId: number | null };
  readonly entry: { readonly inScope: boolean; readonly wildcard: boolean | null };
}

/** Decides for many assets whether the scope of an event contains them. */
export class ScopeMembership {
  private readonly listed = new Map<number, boolean>();
  /** By beacon and host name, so that a large scope is not searched for each asset. */
  private readonly byHost = new Map<string, ScopeItem[]>();
  /** By beacon, those in scope and those out of scope. */
  private readonly blocks = new Map<string, CidrMap<ScopeItem>>();

  static async of(items: readonly ScopeItem[]): Promise<ScopeMembership> {
    const membership = new ScopeMembership();
    for await (const item of inTurns(items)) membership.add(item);
    return membership;
  }

  /** Null if the event has no scope. An asset that is itself in the scope needs no other asset that covers it. */
  contains(asset: {
    readonly id: number | null;
    readonly value: string;
    readonly beaconId: number | null;
  }): boolean | null {
    if (this.listed.size === 0) return null;
    const listed = asset.id === null ? undefined : this.listed.get(asset.id);
    if (listed !== undefined) return listed;
    const known = recognizeAsset(asset.value);
    const place = known && placeOf(known);
    return place !== undefined && this.scopeNear(place.host, asset.beaconId).includes(place);
  }

  /** The part of the scope that can cover a host behind this beacon. */
  private scopeNear(host: string, beaconId: number | null): TestScope {
    const labels = host.split('.');
    const names = labels.map((_label, index) => labels.slice(index).join('.'));
    // Of the blocks in scope that contain an address the smallest one decides, and so of those out of scope.
    const blocks = [true, false].flatMap((inScope) => this.blocks.get(keyOf(beaconId, inScope))?.find(host) ?? []);
    const items = [...names.flatMap((name) => this.byHost.get(keyOf(beaconId, name)) ?? []), ...blocks];
    const assets = items.map(({ asset, entry }) => ({ ...asset, ...entry }));
    return new TestScope(
      assets.filter(({ inScope }) => inScope),
      assets.filter(({ inScope }) => !inScope),
    );
  }

  private add(item: ScopeItem): void {
    const { asset, entry } = item;
    this.listed.set(asset.id, entry.inScope);
    const host = placeOf(asset)?.host;
    if (host === undefined) {
      const blocks = this.blocks.get(keyOf(asset.beaconId, entry.inScope)) ?? new CidrMap();
      this.blocks.set(keyOf(asset.beaconId, entry.inScope), blocks);
      blocks.add(asset.value, item);
    } else {
      const bucket = this.byHost.get(keyOf(asset.beaconId, host)) ?? [];
      this.byHost.set(keyOf(asset.beaconId, host), bucket);
      bucket.push(item);
    }
  }
}

const keyOf = (beaconId: number | null, of: string | boolean): string => `${beaconId} ${of}`;

/** Undefined for a block of addresses. */
function placeOf({ type, value }: TypedAssetValue) {
  if (type === 'cidr') return undefined;
  const url = type === 'url' ? parseUrl(value) : null;
  return url === null
    ? { host: value, port: 443, path: '/' }
    : { host: hostOf(url), port: portOf(url), path: url.pathname };
}
