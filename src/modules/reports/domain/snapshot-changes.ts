import { changeSentence, KIND_NAMES } from '../../observations/domain/change-sentence';
import type { ChangeSummary } from '../../observations';
import type { SnapshotChanges } from './report-snapshot';

/** The changes of a deleted asset are deleted with it, so that each has its asset. */
export function snapshotOfChanges(
  { kinds, important }: ChangeSummary,
  assets: readonly { readonly id: number; readonly value: string }[],
): SnapshotChanges {
  const values = new Map(assets.map(({ id, value }) => [id, value]));
  return {
    total: kinds.reduce((sum, { count }) => sum + count, 0),
    by_kind: kinds.map(({ kind, count }) => ({
      kind,
      count,
      text: `${count} ${KIND_NAMES[kind][count === 1 ? 0 : 1]}`,
    })),
    listed: important.map((change) => ({
      seen: change.seen.toISOString(),
      asset_id: change.assetId,
      asset_value: values.get(change.assetId) ?? '',
      kind: change.kind,
      address: change.address,
      port: change.port,
      before: change.before,
      after: change.after,
      text: changeSentence(change),
    })),
  };
}
