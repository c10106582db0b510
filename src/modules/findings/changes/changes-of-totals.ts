import type { AssetTotalsRepository } from './data/asset-totals.repository';
import { type CountedFinding, changeOfTotals, isNoChange, type Totals } from '../domain/asset-totals';

/** The changes of a batch to the totals of assets. Saved in the order of assets, so that transactions do not deadlock. */
export class ChangesOfTotals {
  private readonly byAsset = new Map<number, Totals>();

  add(assetId: number | null, before: CountedFinding | null, after: CountedFinding | null): void {
    if (assetId === null || (before === null && after === null)) return;
    const change =
      after === null ? negative(changeOfTotals(null, before as CountedFinding)) : changeOfTotals(before, after);
    this.byAsset.set(assetId, sumOf(this.byAsset.get(assetId), change));
  }

  async save(totals: AssetTotalsRepository, organizationId: number): Promise<void> {
    const changes = [...this.byAsset].filter(([, change]) => !isNoChange(change)).sort(([one], [other]) => one - other);
    for (const [assetId, change] of changes) await totals.add(assetId, organizationId, change);
  }
}

const sumOf = (one: Totals | undefined, other: Totals): Totals =>
  one === undefined ? other : mapped((name) => one[name] + other[name]);

const negative = (change: Totals): Totals => mapped((name) => -change[name]);

const mapped = (value: (name: keyof Totals) => number): Totals => ({
  findings: value('findings'),
  cosmic: value('cosmic'),
  critical: value('critical'),
  high: value('high'),
  medium: value('medium'),
  low: value('low'),
  proved: value('proved'),
  refuted: value('refuted'),
});
