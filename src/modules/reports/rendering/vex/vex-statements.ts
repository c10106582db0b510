import type { SnapshotFinding, SnapshotTransition } from '../../domain/snapshot-finding';
import { parseUrl } from '../../../../kernel/parse-url';

/** A statement of OpenVEX 0.2.0, as far as it is made here. */
export interface VexStatement {
  readonly vulnerability: { readonly name: string };
  readonly timestamp: string;
  readonly products: readonly { readonly '@id': string }[];
  readonly status: 'affected' | 'fixed' | 'not_affected' | 'under_investigation';
  readonly status_notes: string;
  readonly impact_statement?: string;
  readonly action_statement?: string;
}

type Assessment = Pick<VexStatement, 'status' | 'impact_statement' | 'action_statement'>;

interface AssessedFinding {
  readonly finding: SnapshotFinding;
  /** The comment of the decision; empty where there is none. */
  readonly why: string;
}

const affected = (action_statement: string): Assessment => ({ status: 'affected', action_statement });
const notAffected = (impact_statement: string): Assessment => ({ status: 'not_affected', impact_statement });
const underInvestigation: Assessment = { status: 'under_investigation' };

/** Only a test shows that a finding is fixed. A status that a person set does not. */
const isShownFixed = ({ history, retests }: SnapshotFinding): boolean =>
  history.findLast(({ to }) => to === 'resolved')?.actor === 'Assay' ||
  retests.findLast(({ status }) => status === 'finished')?.result === 'fixed';

/**
 * What each status states about a CVE. It never includes a justification from the list of OpenVEX, because nobody assessed
 * which of them applies. A duplicate makes no statement.
 */
const ASSESSMENTS: Readonly<Record<string, (one: AssessedFinding) => Assessment | null>> = {
  open: () => affected('It has not been assessed yet.'),
  accepted: () => affected('It is confirmed and will be fixed.'),
  in_progress: () => affected('The fix is in progress.'),
  ready_for_retest: () => underInvestigation,
  resolved: ({ finding }) => (isShownFixed(finding) ? { status: 'fixed' } : underInvestigation),
  risk_accepted: ({ why }) => affected(`The risk is accepted. ${why}`.trim()),
  false_positive: ({ why }) => notAffected(`Assessed as a false positive. ${why}`.trim()),
  duplicate: () => null,
  informative: ({ why }) => notAffected(`Informative: assessed as not a vulnerability here. ${why}`.trim()),
  out_of_scope: () => underInvestigation,
};

/** Assets are not packages. Tools that read OpenVEX expect a generic package URL for everything else. */
function productOf(asset: string): string {
  const url = /^https?:\/\//.test(asset) ? parseUrl(asset) : null;
  return url?.href ?? `pkg:generic/${encodeURIComponent(asset.toWellFormed())}`;
}

/** Null where the finding has no CVE, or is a duplicate. */
export function vexStatementOf(finding: SnapshotFinding): VexStatement | null {
  const { id, title, cve, asset_value, status_name, history, created } = finding;
  if (cve === null) return null;
  const move: SnapshotTransition | undefined = history.findLast(({ to }) => to === status_name);
  const assessment = ASSESSMENTS[status_name]?.({ finding, why: move?.comment ?? '' }) ?? null;
  if (assessment === null) return null;
  return {
    vulnerability: { name: cve },
    timestamp: move?.at ?? created,
    products: [{ '@id': productOf(asset_value) }],
    ...assessment,
    status_notes: `Finding ${id}, ${status_name}: ${title}`,
  };
}
