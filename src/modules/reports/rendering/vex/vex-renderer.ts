import { createHash } from 'node:crypto';
import { parseUrl } from '../../../../kernel/parse-url';
import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import { ReportGenerationError } from '../../domain/report.errors';
import type { SnapshotFinding, SnapshotTransition } from '../../domain/snapshot-finding';
import { FORMATS } from '../formats';

/** A statement of OpenVEX 0.2.0, with the fields that reports use. */
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

/** A custom UUID (RFC 9562, version 8) derived from the content that it names. */
function uuidOf(content: string): string {
  const hash = createHash('sha256').update(content).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** OpenVEX 0.2.0: a statement for each finding with a CVE. Documents with the same statements have the same id. */
export function vexDocument({ taken, organization, event, findings }: ReportSnapshot): object {
  const statements = findings.map(vexStatementOf).filter((statement): statement is VexStatement => statement !== null);
  if (statements.length === 0) {
    throw new ReportGenerationError(
      'No finding in the report has a CVE, and a VEX document states only CVEs. Assign a CVE to a finding, or choose another format.',
    );
  }
  const author = organization.name;
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:uuid:${uuidOf(JSON.stringify([author, event.slug, statements]))}`,
    author,
    timestamp: taken,
    version: 1,
    tooling: 'Assay',
    statements,
  };
}

export class VexRenderer implements ReportRenderer {
  readonly contentType = FORMATS.vex.contentType;
  readonly extension = FORMATS.vex.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    return Buffer.from(`${JSON.stringify(vexDocument(snapshot), null, 2)}\n`);
  }
}
