import { FINDING_STATUS, type FindingDetails, findingStatusVocabulary, type StatusTransition } from '../../findings';
import type { RetestAccount } from '../../jobs';
import type { SnapshotFinding, SnapshotMove, SnapshotRetest } from './report-snapshot';

const names = new Map<number, string>(findingStatusVocabulary.map(({ number, name }) => [number, name]));

export const statusName = (status: number): string => names.get(status) ?? String(status);

/** Who moved a finding, as a reader outside of the service may know it: no name and no address of anybody. */
const actorText = ({ type, id }: StatusTransition['actor']): string => (type === 'system' ? 'Assay' : `${type} ${id}`);

const moveOf = ({ at, from, to, actor, comment }: StatusTransition): SnapshotMove => ({
  at: at.toISOString(),
  from: from === null ? null : statusName(from),
  to: statusName(to),
  actor: actorText(actor),
  comment,
});

const retestOf = ({
  uuid,
  status,
  result,
  reason,
  created,
  finished,
  signedBy,
  probes,
}: RetestAccount): SnapshotRetest => ({
  uuid,
  status,
  result,
  reason,
  created: created.toISOString(),
  finished: finished?.toISOString() ?? null,
  signed_by: signedBy,
  probes,
});

/** When it was last resolved, as long as it is. */
function resolvedAt({ status, transitions }: FindingDetails): string | null {
  if (status !== FINDING_STATUS.resolved) return null;
  return transitions.findLast(({ to }) => to === FINDING_STATUS.resolved)?.at.toISOString() ?? null;
}

/** Retests come newest first, and are told as they happened. */
export const snapshotOfFinding = (finding: FindingDetails, retests: readonly RetestAccount[]): SnapshotFinding => ({
  id: finding.id,
  title: finding.title,
  md: finding.md,
  html: finding.html,
  asset_id: finding.assetId,
  asset_value: finding.assetValue,
  severity: finding.severity,
  priority: finding.priority,
  status: finding.status,
  status_name: statusName(finding.status),
  score: finding.score,
  cvss_vector: finding.cvssVector,
  cve: finding.cve,
  check: finding.checkId,
  location: finding.location,
  fingerprint: finding.fingerprint,
  times_seen: finding.timesSeen,
  created: finding.created.toISOString(),
  last_seen: finding.lastSeen.toISOString(),
  resolved: resolvedAt(finding),
  history: finding.transitions.map(moveOf),
  retests: retests.toReversed().map(retestOf),
});
