import { inTurns } from '../../kernel/in-turns';
import type { FindingOutline } from '../findings';
import type { CoverageSummary } from '../jobs';
import type { TextBudget } from './domain/report-size-limits';
import type { ReportSnapshot, SnapshotScopeAsset } from './domain/report-snapshot';
import type { SnapshotBeacon } from './domain/snapshot-parts';
import type { SubjectAsset, SubjectData } from './subject-reader';

/** In turns: an event may have very many assets. */
export async function scopeOf(
  { assets, coverage }: SubjectData,
  chosen: readonly FindingOutline[],
  beacons: ReadonlyMap<number, SnapshotBeacon>,
  budget: TextBudget,
): Promise<ReportSnapshot['scope']> {
  const counts = new Map<number, number>();
  for (const { assetId } of chosen) if (assetId !== null) counts.set(assetId, (counts.get(assetId) ?? 0) + 1);
  const shown = { in_scope: [] as SnapshotScopeAsset[], out_of_scope: [] as SnapshotScopeAsset[] };
  for await (const item of inTurns(assets)) {
    const { id, beaconId } = item.asset;
    const asset = {
      ...snapshotOfAsset(item, coverage.get(id), counts.get(id) ?? 0),
      beacon: beacons.get(beaconId ?? 0) ?? null,
    };
    budget.spend(asset);
    shown[item.entry.inScope ? 'in_scope' : 'out_of_scope'].push(asset);
  }
  for (const list of Object.values(shown))
    list.sort((one, other) => Number(one.value > other.value) - Number(one.value < other.value));
  return shown;
}

const snapshotOfAsset = (
  { asset, entry }: SubjectAsset,
  coverage: CoverageSummary | undefined,
  findings: number,
): SnapshotScopeAsset => ({
  id: asset.id,
  value: asset.value,
  type: asset.type,
  tier: asset.tier,
  description: entry.description,
  findings,
  last_tested: coverage?.lastTested.toISOString() ?? null,
  checks_completed: coverage?.checksCompleted ?? 0,
  not_tested: coverage?.notTested ?? [],
});
