import type { ProposedChange } from '../../../platform/api/caller';
import { type FindingStatus, labelOfStatus } from './finding-status';
import type { VexJustification } from './vex-justification';

/** The part of a finding that a decision is about. */
interface DecidedFinding {
  readonly id: number;
  readonly organizationId: number;
  readonly status: FindingStatus;
  readonly title: string;
  readonly mergedInto: unknown;
  readonly severity: unknown;
  readonly score: unknown;
  readonly verification: unknown;
  readonly checkId: unknown;
  readonly edits: { readonly at: unknown } | null;
  readonly statedAt: unknown;
  readonly fixedAt: unknown;
}

/** What a second admin decides about. When it changes, the proposal is outdated. */
export const seenOf = (finding: DecidedFinding): unknown => [
  finding.status,
  finding.mergedInto,
  finding.title,
  finding.severity,
  finding.score,
  finding.verification,
  finding.checkId,
  finding.edits?.at ?? null,
  // It was resolved and is open again.
  finding.statedAt,
  finding.fixedAt,
];

export interface StatusPayload {
  readonly finding_id: number;
  readonly status: FindingStatus;
  readonly comment: string | null;
  readonly until: string | null;
  readonly justification: VexJustification | null;
}

export const statusProposal = (
  finding: DecidedFinding,
  payload: Omit<StatusPayload, 'finding_id'>,
): ProposedChange => ({
  organizationId: finding.organizationId,
  kind: 'finding.status_update',
  payload: { finding_id: finding.id, ...payload },
  seen: seenOf(finding),
  summary: `Finding ${finding.id}, "${finding.title}": status ${labelOfStatus(finding.status)} to ${labelOfStatus(payload.status)}${payload.until === null ? '' : ` until ${payload.until.slice(0, 10)}`}.${payload.comment === null ? '' : ` ${payload.comment}`}`,
});

export interface MergePayload {
  readonly finding_id: number;
  readonly finding_ids: readonly number[];
}

export const mergeProposal = (main: DecidedFinding, parts: readonly DecidedFinding[]): ProposedChange => ({
  organizationId: main.organizationId,
  kind: 'finding.merge',
  payload: { finding_id: main.id, finding_ids: parts.map(({ id }) => id) },
  seen: [main, ...parts].map(seenOf),
  summary: `Merge into finding ${main.id}, "${main.title}": ${parts.map(({ id, title }) => `${id}, "${title}"`).join('; ')}.`,
});
