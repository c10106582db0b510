import type { SnapshotFinding } from '../domain/snapshot-finding';
import { formatDay } from './text-format';

/** Who accepted the check on which asset, until when and why. */
export const acceptedText = ({ accepted_check: accepted }: SnapshotFinding): string | null =>
  accepted &&
  `Until ${formatDay(accepted.until)} by ${accepted.accepted_by} on ${accepted.asset_value}: ${accepted.reason}`;

export function epssText({ epss }: SnapshotFinding): string {
  if (epss === null) return '';
  return `${(epss.score * 100).toFixed(1)} % probability of exploitation in the next 30 days (${epss.source}, ${formatDay(epss.date)})`;
}

export function kevText({ kev }: SnapshotFinding): string {
  if (kev === null) return '';
  const ransomware = kev.ransomware ? ', also by ransomware' : '';
  const due = kev.due_date === null ? '' : `, to be fixed by ${formatDay(kev.due_date)}`;
  return `since ${formatDay(kev.date_added)}${ransomware}${due} (${kev.source}, released ${formatDay(kev.released)})`;
}
