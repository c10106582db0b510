import type { ReportSnapshot, SnapshotChanges } from '../domain/report-snapshot';
import { formatDay, joinWithAnd, pluralize } from './text-format';

/** A row of the table of changes. Both formats show it. */
export interface ChangeRow {
  readonly date: string;
  readonly asset: string;
  readonly text: string;
}

/** What observations have shown. Null for other subjects than an organization. */
export interface ChangesOfReport {
  readonly lead: string;
  readonly rows: readonly ChangeRow[];
}

export function changesOf({ changes }: Pick<ReportSnapshot, 'changes'>): ChangesOfReport | null {
  return changes && { lead: leadOf(changes), rows: changes.listed.map(rowOf) };
}

const rowOf = ({ seen, asset_value, address, port, text }: SnapshotChanges['listed'][number]): ChangeRow => ({
  date: formatDay(seen),
  asset: asset_value,
  text: address === null || port === null ? text : `${text} (${address})`,
});

function leadOf({ total, by_kind, listed }: SnapshotChanges): string {
  if (total === 0) return 'No observation of the assets showed a change in this period.';
  const rest = total > listed.length ? ` The table has the ${listed.length} most important.` : '';
  return `Observations of the assets showed ${pluralize(total, 'change')} in this period: ${joinWithAnd(by_kind.map(({ text }) => text))}.${rest}`;
}
