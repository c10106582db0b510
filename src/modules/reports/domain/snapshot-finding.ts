import type { Severity } from '../../../kernel/severity';
import type { AcceptedCheckOfAsset } from '../../assets';
import { FINDING_STATUS, type FindingDetails, findingStatusVocabulary, type StatusTransition } from '../../findings';
import type { RetestSummary } from '../../retests';

/** A change of status, made by a person or by the service. */
export interface SnapshotTransition {
  readonly at: string;
  readonly from: string | null;
  readonly to: string;
  readonly actor: string;
  readonly comment: string | null;
}

/** One probe of a retest: the requests, the responses, and what they show. */
export interface SnapshotProbe {
  readonly at: string;
  readonly state: 'vulnerable' | 'not_vulnerable' | 'inconclusive';
  readonly detail: string;
  /** Redacted and limited in length when the retest stored them. */
  readonly exchanges: readonly {
    readonly request: string;
    readonly response: string;
    readonly address: string | null;
  }[];
}

export interface SnapshotRetest {
  readonly uuid: string;
  readonly status: string;
  readonly result: string | null;
  readonly reason: string | null;
  readonly created: string;
  readonly finished: string | null;
  /** The key that signed the evidence; null where there is none. */
  readonly signed_by: string | null;
  /** Empty unless the report includes evidence. */
  readonly probes: readonly SnapshotProbe[];
}

/** An admin's decision that findings of a check on an asset do not fail jobs until a date. */
export interface SnapshotAcceptedCheck {
  readonly asset_id: number;
  readonly asset_value: string;
  readonly reason: string;
  readonly until: string;
  readonly accepted_by: string;
}

/** What runs on an asset, in identifiers that other tools match. */
export interface SnapshotProduct {
  readonly purl: string | null;
  readonly cpe: string | null;
}

/** What the job of the report showed of a finding. */
export interface SnapshotJobFinding {
  /** `not_seen`: known before, and the job did not confirm that it is fixed. */
  readonly outcome: 'seen' | 'fixed' | 'not_seen';
  readonly severity: Severity;
  /** Whether a pipeline stops because of it. */
  readonly fails_gate: boolean;
}

export interface SnapshotFinding {
  readonly id: number;
  readonly title: string;
  /** Markdown as it was written, and the HTML that is safe to show. */
  readonly md: string | null;
  readonly html: string | null;
  readonly asset_id: number | null;
  readonly asset_value: string;
  /** Of the asset; null if it has none. */
  readonly product?: SnapshotProduct | null;
  /** Only in the report of a job. */
  readonly job?: SnapshotJobFinding | null;
  readonly severity: Severity;
  readonly priority: number;
  readonly status: number;
  readonly status_name: string;
  readonly score: number | null;
  readonly cvss_vector: string | null;
  readonly cve: string | null;
  /** The number in the Common Weakness Enumeration. */
  readonly cwe: number | null;
  readonly check: string | null;
  /** What the check requests, for findings of checks. */
  readonly location: string | null;
  readonly fingerprint: string;
  readonly times_seen: number;
  readonly created: string;
  readonly last_seen: string;
  /** When it was last resolved; null while it is not. */
  readonly resolved: string | null;
  /** Oldest first, like the retests. The newest ones when there are very many. */
  readonly history: readonly SnapshotTransition[];
  readonly retests: readonly SnapshotRetest[];
  /** Null if its check is not accepted on an asset that contains its location. */
  readonly accepted_check: SnapshotAcceptedCheck | null;
}

const STATUS_NAMES = new Map<number, string>(findingStatusVocabulary.map(({ number, name }) => [number, name]));

export const statusName = (status: number): string => STATUS_NAMES.get(status) ?? String(status);

/** Who moved a finding, as a reader outside of the service may know it: no name and no address of anybody. */
const actorText = ({ type, id }: StatusTransition['actor']): string => (type === 'system' ? 'Assay' : `${type} ${id}`);

const moveOf = ({ at, from, to, actor, comment }: StatusTransition): SnapshotTransition => ({
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
}: RetestSummary): SnapshotRetest => ({
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
export const snapshotOfFinding = (finding: FindingDetails, retests: readonly RetestSummary[]): SnapshotFinding => ({
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
  cwe: finding.cwe,
  check: finding.checkId,
  location: finding.location,
  fingerprint: finding.fingerprint,
  times_seen: finding.timesSeen,
  created: finding.created.toISOString(),
  last_seen: finding.lastSeen.toISOString(),
  resolved: resolvedAt(finding),
  history: finding.transitions.map(moveOf),
  retests: retests.toReversed().map(retestOf),
  accepted_check: null,
});

export const withAcceptedCheck = (finding: SnapshotFinding, accepted: AcceptedCheckOfAsset | null): SnapshotFinding =>
  accepted === null
    ? finding
    : {
        ...finding,
        accepted_check: {
          asset_id: accepted.assetId,
          asset_value: accepted.assetValue,
          reason: accepted.reason,
          until: accepted.until.toISOString(),
          accepted_by: accepted.acceptedBy,
        },
      };
