import type { SnapshotFinding, SnapshotMove } from '../../domain/report-snapshot';
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

type Judgement = Pick<VexStatement, 'status' | 'impact_statement' | 'action_statement'>;

interface Case {
  readonly finding: SnapshotFinding;
  /** Why it is as it is, in the words of who decided that; empty where nobody said. */
  readonly why: string;
}

const affected = (action_statement: string): Judgement => ({ status: 'affected', action_statement });
const notAffected = (impact_statement: string): Judgement => ({ status: 'not_affected', impact_statement });
const underInvestigation: Judgement = { status: 'under_investigation' };

/** Resolved is what a test has shown to be gone: what somebody says is mended is still to be looked at. */
const isShownFixed = ({ history, retests }: SnapshotFinding): boolean =>
  history.findLast(({ to }) => to === 'resolved')?.actor === 'Assay' ||
  retests.findLast(({ status }) => status === 'finished')?.result === 'fixed';

/**
 * What each status says of a CVE. No justification of the format's list is ever stated: nobody here has judged which of
 * them holds, and a machine would believe it. A duplicate says nothing of its own.
 */
const JUDGEMENTS: Readonly<Record<string, (one: Case) => Judgement | null>> = {
  open: () => affected('Nobody has taken it on yet.'),
  accepted: () => affected('It is confirmed, and to be mended.'),
  in_progress: () => affected('It is being mended.'),
  ready_for_retest: () => underInvestigation,
  resolved: ({ finding }) => (isShownFixed(finding) ? { status: 'fixed' } : underInvestigation),
  risk_accepted: ({ why }) => affected(`The risk is accepted. ${why}`.trim()),
  false_positive: ({ why }) => notAffected(`Judged to be a false positive. ${why}`.trim()),
  duplicate: () => null,
  informative: ({ why }) => notAffected(`Noted for information, and judged to be no weakness here. ${why}`.trim()),
  out_of_scope: () => underInvestigation,
};

/** Assets are no packages; a generic package URL is how tools that read this format name what else there is. */
function productOf(asset: string): string {
  const url = /^https?:\/\//.test(asset) ? parseUrl(asset) : null;
  return url?.href ?? `pkg:generic/${encodeURIComponent(asset.toWellFormed())}`;
}

/** What is said of a finding; null where it has no CVE, or says nothing of its own. */
export function vexStatementOf(finding: SnapshotFinding): VexStatement | null {
  const { id, title, cve, asset_value, status_name, history, created } = finding;
  if (cve === null) return null;
  const move: SnapshotMove | undefined = history.findLast(({ to }) => to === status_name);
  const judgement = JUDGEMENTS[status_name]?.({ finding, why: move?.comment ?? '' }) ?? null;
  if (judgement === null) return null;
  return {
    vulnerability: { name: cve },
    timestamp: move?.at ?? created,
    products: [{ '@id': productOf(asset_value) }],
    ...judgement,
    status_notes: `Finding ${id}, ${status_name}: ${title}`,
  };
}
