import { isUser } from '../../../platform/api/caller';
import { dayOf } from '../../../kernel/day';
import { SEVERITIES, type Severity } from '../../../kernel/severity';
import type { AcceptedCheckOfAsset } from '../../assets';
import { type Belief, believedSince, beliefOf } from '../../findings/domain/belief';
import { nameOfCwe } from '../../findings/domain/check-facts';
import { isAboutWork } from '../../findings/domain/field-change';
import { FINDING_STATUS, findingStatusVocabulary } from '../../findings/domain/finding-status';
import { countedSeverity, storedSeverityOf } from '../../findings/domain/pins';
import { priorityFactsOf, priorityOf } from '../../findings/domain/priority';
import { NO_CHECK } from '../../findings/domain/verification';
import type { FindingDetails, Standard, StatusTransition } from '../../findings';
import type { SecondLook } from '../../retests/domain/second-look';
import type { RetestSummary } from '../../retests';
import type {
  SnapshotBeacon,
  SnapshotTransition,
  SnapshotRetest,
  SnapshotAcceptedCheck,
  SnapshotProduct,
  SnapshotJobFinding,
  SnapshotVerification,
  SnapshotEpss,
  SnapshotKev,
} from './snapshot-parts';
import { actorText, personText } from './snapshot-people';
import { writtenText } from './written-text';

export interface SnapshotFinding {
  readonly id: number;
  readonly title: string;
  /** Markdown as it was written, and the HTML that is safe to show. */
  readonly md: string | null;
  readonly html: string | null;
  readonly asset_id: number | null;
  readonly asset_value: string;
  /** The beacon that the asset is behind; null on the Internet. */
  readonly beacon: SnapshotBeacon | null;
  /** Of the asset; null if it has none. */
  readonly product?: SnapshotProduct | null;
  /** Only in the report of a job. */
  readonly job?: SnapshotJobFinding | null;
  /** Whether the scope of the event contains the asset; null for an event without a scope. */
  readonly in_scope: boolean | null;
  readonly severity: Severity;
  readonly priority: number;
  readonly status: number;
  readonly status_name: string;
  readonly score: number | null;
  readonly cvss_vector: string | null;
  readonly cve: string | null;
  /** The number in the Common Weakness Enumeration. */
  readonly cwe: number | null;
  /** Where the weakness is described: http and https URLs. */
  readonly references: readonly string[];
  /** What is known about the CVE; null without. */
  readonly epss: SnapshotEpss | null;
  readonly kev: SnapshotKev | null;
  /** Null for a weakness that no built-in check finds. */
  readonly cwe_name: string | null;
  /** Categories of the OWASP Top 10, for findings of built-in checks. */
  readonly owasp: readonly Standard[];
  readonly check: string | null;
  /** What the check requests, for findings of checks. */
  readonly location: string | null;
  readonly fingerprint: string;
  readonly times_seen: number;
  readonly created: string;
  readonly last_seen: string;
  /** The name of the member who is to fix it. */
  readonly assignee: string | null;
  /** The last day to fix it, such as 2026-01-31. */
  readonly due_date: string | null;
  readonly labels: readonly string[];
  /** Whether a check of this service saw the weakness. Reports of earlier versions have none. */
  readonly verification?: SnapshotVerification;
  /** What tests say of it, and since when. Reports of earlier versions have none. */
  readonly belief?: { readonly value: Belief; readonly since: string };
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

/** The asset of a finding, which the organization may not list. */
export interface ScopedFindingAsset {
  readonly id: number | null;
  readonly value: string;
  readonly beaconId: number | null;
}

/** What findings refer to: the names of users and beacons by id, and which assets are in scope. */
export interface FindingContext {
  readonly people: ReadonlyMap<number, string>;
  readonly beacons: ReadonlyMap<number, SnapshotBeacon>;
  isInScope(asset: ScopedFindingAsset): boolean | null;
}

/** The ids of the users who acted on a finding. */
export const usersOf = (
  { transitions, assigneeId, texts }: FindingDetails,
  retests: readonly RetestSummary[],
): number[] => [
  ...(assigneeId === null ? [] : [assigneeId]),
  ...(texts?.evidenceBy == null ? [] : [texts.evidenceBy]),
  ...transitions.flatMap(({ actor }) => (isUser(actor.type) ? [Number(actor.id)] : [])),
  ...retests.flatMap(({ judgedBy }) => judgedBy ?? []),
];

const editText = (changes: NonNullable<StatusTransition['changes']>, reason: string | null): string =>
  `Changed: ${changes.flatMap((one) => (isAboutWork([one]) ? [] : one.field)).join(', ')}.${reason === null ? '' : ` ${reason}`}`;

/** Whom it is assigned to and what is written to each other stays within the organization. */
const isReported = ({ isComment, changes }: StatusTransition): boolean =>
  !isComment && (changes === null || !isAboutWork(changes));

const moveOf = (
  { at, from, to, actor, comment, changes, justification }: StatusTransition,
  people: FindingContext['people'],
): SnapshotTransition => ({
  at: at.toISOString(),
  from: from === null ? null : statusName(from),
  to: statusName(to),
  actor: actorText(actor, people),
  actor_type: actor.type,
  comment: changes === null ? comment : editText(changes, comment),
  ...(justification !== null && { justification }),
});

const retestOf = (
  { uuid, status, result, reason, created, finished, secondLook, judgedBy, requests, probes, ...rest }: RetestSummary,
  people: FindingContext['people'],
): SnapshotRetest => ({
  uuid,
  status,
  result,
  reason: withSecondLook(reason, secondLook),
  created: created.toISOString(),
  finished: finished?.toISOString() ?? null,
  decided: rest.decided?.toISOString() ?? null,
  check: rest.checkId,
  judged_by: judgedBy === null ? null : personText(judgedBy, people),
  by_refusal: rest.byRefusal,
  requests,
  signed_by: rest.signedBy,
  probes,
});

function withSecondLook(reason: string | null, look: SecondLook | null): string | null {
  if (look?.result !== 'fixed' || look.finished === null) return reason;
  return `${reason === null ? '' : `${reason}; `}confirmed again on ${dayOf(look.finished)}`;
}

/** When it was last resolved, as long as it is. */
function resolvedAt({ status, transitions }: FindingDetails): string | null {
  if (status !== FINDING_STATUS.resolved) return null;
  return (
    transitions.findLast(({ from, to }) => to === FINDING_STATUS.resolved && from !== to)?.at.toISOString() ?? null
  );
}

function kevOf({ vulnerability: { kev } }: FindingDetails): SnapshotKev | null {
  if (kev === null) return null;
  const { dateAdded: date_added, dueDate: due_date, ransomware, source, released } = kev;
  return { date_added, due_date, ransomware, source, released: released.toISOString() };
}

/** The higher of what a person and the scanner say, so that no edit hides a weakness. */
function countedIn(finding: FindingDetails): Pick<SnapshotFinding, 'severity' | 'priority' | 'score' | 'cvss_vector'> {
  const { severity, score, cvssVector, edits, priority } = finding;
  const shown = storedSeverityOf({ severity, score, cvssVector });
  const counted = countedSeverity({ ...shown, edits });
  const word = SEVERITIES[counted.severity] ?? severity;
  return {
    severity: word,
    priority:
      counted.severity === shown.severity
        ? priority
        : priorityOf(priorityFactsOf({ ...finding, severity: counted.severity })),
    score: counted.score === null ? null : Number(counted.score),
    cvss_vector: counted.cvssVector,
  };
}

/** Retests are read newest first, and shown in the order in which they happened. */
export const snapshotOfFinding = (
  finding: FindingDetails,
  retests: readonly RetestSummary[],
  { people, beacons, isInScope }: FindingContext,
): SnapshotFinding => ({
  id: finding.id,
  title: finding.title,
  ...writtenText(finding, (id) => personText(id, people)),
  asset_id: finding.assetId,
  asset_value: finding.assetValue,
  beacon: beacons.get(finding.beaconId ?? 0) ?? null,
  in_scope: isInScope({ id: finding.assetId, value: finding.assetValue, beaconId: finding.beaconId }),
  ...countedIn(finding),
  status: finding.status,
  status_name: statusName(finding.status),
  cve: finding.cve,
  cwe: finding.cwe,
  references: finding.references,
  epss: finding.vulnerability.epss,
  kev: kevOf(finding),
  cwe_name: finding.cwe === null ? null : nameOfCwe(finding.cwe),
  owasp: finding.builtInCheck?.owasp ?? [],
  check: finding.checkId,
  location: finding.location,
  fingerprint: finding.fingerprint,
  times_seen: finding.timesSeen,
  created: finding.created.toISOString(),
  last_seen: finding.lastSeen.toISOString(),
  resolved: resolvedAt(finding),
  assignee: finding.assigneeId === null ? null : personText(finding.assigneeId, people),
  due_date: finding.dueDate,
  labels: finding.labels,
  belief: { value: beliefOf(finding), since: believedSince(finding).toISOString() },
  verification: {
    result: finding.verification,
    reason: finding.verificationReason ?? NO_CHECK,
    tested_at: finding.verifiedAt?.toISOString() ?? null,
  },
  // Comments are for the people who fix the finding, and a report is for others.
  history: finding.transitions.filter(isReported).map((transition) => moveOf(transition, people)),
  retests: retests.toReversed().map((retest) => retestOf(retest, people)),
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
