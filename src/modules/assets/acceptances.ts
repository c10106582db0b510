import { isAtLeast, type Severity } from '../../kernel/severity';
import type { Asset } from './data/asset.entity';
import type { AcceptedCheckOfAsset } from './data/accepted-checks.repository';
import type { AcceptedCheckOnMany } from './data/accepted-check-on-many.entity';
import { AcceptedChecks } from './domain/accepted-checks';

/** Where a built-in check was run, and the asset of the finding or of the job. */
export interface AcceptedPlace {
  readonly check: string | null;
  readonly location: string | null;
  readonly beaconId: number | null;
  readonly assetId: number | null;
  /** Null for a check that could not be completed. */
  readonly finding: { readonly id: number; readonly severity: Severity } | null;
}

type AcceptedOnMany = AcceptedCheckOnMany;
export type LabeledAsset = Pick<Asset, 'id' | 'organizationId' | 'type' | 'value' | 'labels' | 'beaconId'>;

/** The checks that are accepted now in an organization: on single assets, on those with a label, and on all. */
export class Acceptances {
  readonly checkIds: ReadonlySet<string>;
  private readonly assets = new Map<number, LabeledAsset | null>();
  private readonly onAssetsOfMany = new Map<string, AcceptedCheckOfAsset>();
  private readonly checksOfMany: ReadonlySet<string>;

  constructor(
    private readonly single: AcceptedChecks<AcceptedCheckOfAsset>,
    private readonly many: readonly AcceptedOnMany[],
    private readonly readAssets: (ids: readonly number[]) => Promise<readonly LabeledAsset[]>,
  ) {
    this.checksOfMany = new Set(many.map(({ checkId }) => checkId));
    this.checkIds = new Set([...this.single.checkIds, ...this.checksOfMany]);
  }

  /** Those that are accepted on all of a host behind this beacon, whatever the severity of a finding. */
  checkIdsOn(host: string, beaconId: number | null): string[] {
    return this.single.checkIdsOn(host, beaconId);
  }

  /** Reads the assets of places, whose labels `find` then knows. */
  async learn(places: readonly Pick<AcceptedPlace, 'check' | 'assetId'>[]): Promise<void> {
    const ids = new Set<number>();
    for (const { check, assetId } of places)
      if (check !== null && assetId !== null && this.checksOfMany.has(check) && !this.assets.has(assetId))
        ids.add(assetId);
    if (ids.size === 0) return;
    for (const id of ids) this.assets.set(id, null);
    for (const asset of await this.readAssets([...ids])) this.assets.set(asset.id, asset);
  }

  /** The one that applies to a place that was learned: the decision about one asset before those about many. */
  find(place: AcceptedPlace): AcceptedCheckOfAsset | null {
    const { check, location, beaconId, assetId } = place;
    return this.single.find(check, location, beaconId) ?? (assetId === null ? null : this.findOfMany(place, assetId));
  }

  /** The asset must contain the place as it must for its own settings: people choose the asset of what they record. */
  private findOfMany(
    { check, location, beaconId, finding }: AcceptedPlace,
    assetId: number,
  ): AcceptedCheckOfAsset | null {
    if (check === null || location === null || !this.checksOfMany.has(check)) return null;
    const asset = this.assets.get(assetId);
    if (asset === undefined) throw new Error(`Asset ${assetId} was not learned.`);
    if (asset === null) return null;
    const accepted = this.many.find((one) => one.checkId === check && isFor(one, asset) && mayCover(one, finding));
    if (accepted === undefined) return null;
    const onAsset = this.onAsset(accepted, asset);
    return AcceptedChecks.isOn(onAsset, location, beaconId) ? onAsset : null;
  }

  /** One object for each asset, so that it is listed once. */
  private onAsset(accepted: AcceptedOnMany, asset: LabeledAsset): AcceptedCheckOfAsset {
    const { checkId, label, reason, until, acceptedBy } = accepted;
    const key = `${asset.id} ${checkId} ${label}`;
    const known = this.onAssetsOfMany.get(key);
    if (known !== undefined) return known;
    const { id: assetId, type: assetType, value: assetValue, beaconId } = asset;
    const one = { checkId, reason, until, acceptedBy, assetId, assetType, assetValue, beaconId, acceptedFor: label };
    this.onAssetsOfMany.set(key, one);
    return one;
  }
}

const isFor = ({ label, organizationId }: AcceptedOnMany, asset: LabeledAsset): boolean =>
  organizationId === asset.organizationId && (label === '' || asset.labels.includes(label));

/** A decision about many assets hides no critical finding that it does not name. */
const mayCover = ({ criticalFindings }: AcceptedOnMany, finding: AcceptedPlace['finding']): boolean =>
  finding === null || !isAtLeast(finding.severity, 'critical') || criticalFindings.includes(finding.id);
