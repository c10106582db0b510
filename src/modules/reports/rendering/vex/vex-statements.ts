import type { VexJustification } from '../../../findings';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { isFixedByRefusal, isFixProved } from '../../domain/proved-fix';
import { ReportGenerationError } from '../../domain/report.errors';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import type { SnapshotProduct, SnapshotTransition } from '../../domain/snapshot-parts';
import { vexNotice } from '../../domain/vex-notice';

/** What a statement is about, in identifiers that consumers match with their inventory. */
interface VexProduct {
  readonly '@id'?: string;
  readonly identifiers: { readonly purl?: string; readonly cpe23?: string };
}

/** A statement of OpenVEX 0.2.0, with the fields that reports use. */
export interface VexStatement {
  readonly vulnerability: { readonly name: string };
  readonly timestamp: string;
  readonly products: readonly VexProduct[];
  readonly status: 'affected' | 'fixed' | 'not_affected' | 'under_investigation';
  readonly status_notes: string;
  readonly justification?: VexJustification;
  readonly impact_statement?: string;
  readonly action_statement?: string;
}

type Assessment = Pick<VexStatement, 'status' | 'justification' | 'impact_statement' | 'action_statement'>;

interface AssessedFinding {
  readonly finding: SnapshotFinding;
  /** The comment of the decision; empty where there is none. */
  readonly why: string;
}

const affected = (action_statement: string): Assessment => ({ status: 'affected', action_statement });
const notAffected = (impact_statement: string): Assessment => ({ status: 'not_affected', impact_statement });
const underInvestigation: Assessment = { status: 'under_investigation' };

/** Only a test of a job or a retest shows that a finding is fixed. A status that a person set does not. */
const isShownFixed = (finding: SnapshotFinding): boolean =>
  finding.history.findLast(({ from, to }) => to === 'resolved' && from !== to)?.actor_type === 'system' ||
  isFixProved(finding);

/**
 * What each status states about a CVE. A duplicate makes no statement. A justification, which
 * only a person gives, states `not_affected` instead.
 */
const ASSESSMENTS: Readonly<Record<string, (one: AssessedFinding) => Assessment | null>> = {
  open: () => affected('It has not been assessed yet.'),
  accepted: ({ why }) => affected(`It is confirmed and will be fixed. ${why}`.trim()),
  in_progress: ({ why }) => affected(`The fix is in progress. ${why}`.trim()),
  ready_for_retest: () => underInvestigation,
  resolved: ({ finding }) => (isShownFixed(finding) ? { status: 'fixed' } : underInvestigation),
  risk_accepted: ({ why }) => affected(`The risk is accepted. ${why}`.trim()),
  false_positive: ({ why }) => notAffected(`Assessed as a false positive. ${why}`.trim()),
  duplicate: () => null,
  informative: ({ why }) => notAffected(`Informative: assessed as not a vulnerability here. ${why}`.trim()),
  out_of_scope: () => underInvestigation,
};

/** A package URL can identify a product by itself. A CPE is not an IRI, so it is only an identifier. */
const productOf = ({ purl, cpe }: SnapshotProduct): VexProduct => ({
  ...(purl !== null && { '@id': purl }),
  identifiers: { ...(purl !== null && { purl }), ...(cpe !== null && { cpe23: cpe }) },
});

/** With a justification, OpenVEX has no impact statement: the notes have the comment. */
function assess(finding: SnapshotFinding, move: SnapshotTransition | undefined): Assessment | null {
  const { justification, comment } = move ?? {};
  if (justification !== undefined) return { status: 'not_affected', justification };
  return ASSESSMENTS[finding.status_name]?.({ finding, why: comment ?? '' }) ?? null;
}

/** Null if the finding has no CVE, is a duplicate, or is on an asset that names no product. */
export function vexStatementOf(finding: SnapshotFinding): VexStatement | null {
  const { id, title, cve, product, status_name, belief, history, created } = finding;
  if (cve === null || !product) return null;
  const move = history.findLast(({ from, to }) => to === status_name && from !== to);
  const assessment = assess(finding, move);
  const note = assessment?.justification !== undefined && move?.comment ? `. ${move.comment}` : '';
  if (assessment === null) return null;
  return {
    vulnerability: { name: cve },
    timestamp: move?.at ?? created,
    products: [productOf(product)],
    ...assessment,
    status_notes: `Finding ${id}, ${status_name}${assessment.status === 'fixed' && isFixedByRefusal(finding) ? ' by refusal' : ''}${belief === undefined ? '' : `, ${belief.value}`}: ${title}${note}`,
  };
}

/** Of all findings. Throws if there is none, because a document without statements says nothing. */
export function vexStatements({ findings }: ReportSnapshot): VexStatement[] {
  const statements = findings.map(vexStatementOf).filter((statement) => statement !== null);
  if (statements.length > 0) return statements;
  throw new ReportGenerationError(
    vexNotice(findings) ??
      'No finding in the report has a CVE, and a VEX document states only CVEs. Assign a CVE to a finding, or choose another format.',
  );
}
