import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { forbidden, invalid, unprocessable } from '../../../kernel/domain-error';
import { redact } from '../../../kernel/redact';
import { SEVERITIES } from '../../../kernel/severity';
import type { Caller } from '../../../platform/api/caller';
import { OrganizationsService } from '../../organizations';
import type { LockedFinding, SeverityNumber } from '../data/finding.entity';
import type { FindingTexts } from '../data/finding-texts.entity';
import { changeOfTotals, isNoChange } from '../domain/asset-totals';
import { type FieldChange, fieldChange, numberText } from '../domain/field-change';
import {
  isLower,
  type PinnedField,
  type Pins,
  severityIn,
  type StoredSeverity,
  storedSeverityOf,
} from '../domain/pins';
import { priorityFactsOf, priorityOf } from '../domain/priority';
import { type SeverityStatement, severityOfFinding } from '../domain/severity-of-finding';
import { defaultSla, dueDateOfFinding } from '../domain/sla';
import { type Markdown, MarkdownRenderer } from '../rendering/markdown-renderer';
import { AssetTotalsRepository } from './data/asset-totals.repository';
import { FindingHistoryRepository } from './data/finding-history.repository';
import { FindingSlaRepository } from './data/finding-sla.repository';
import { FindingsRepository } from './data/findings.repository';
import { FindingTextsRepository } from './data/finding-texts.repository';
import { FindingVulnerabilities } from './finding-vulnerabilities';

/** The values that a person sets. Absent fields stay as they are; null removes the value. */
export interface FindingEdit extends SeverityStatement {
  readonly title?: string | undefined;
  readonly md?: string | null | undefined;
  readonly remediation?: string | null | undefined;
  readonly cwe?: number | null | undefined;
  readonly cve?: string | null | undefined;
  /** Evidence that a person pasted. Secrets in it are redacted. */
  readonly evidence?: string | null | undefined;
  /** Fields that return to the value of the check or the imported file. */
  readonly unpin?: readonly PinnedField[] | undefined;
  /** The reason. Required if the severity becomes lower than the check or the file says. */
  readonly reason?: string | null | undefined;
}

/** An edit with its Markdown rendered. */
export interface PreparedEdit extends Omit<FindingEdit, 'md' | 'remediation' | 'severity'> {
  readonly md: Markdown | null | undefined;
  readonly remediation: Markdown | null | undefined;
  readonly stated: StoredSeverity | undefined;
}

/** A plain object that can be spread, not an instance of the entity. */
type StoredTexts = Pick<FindingTexts, keyof FindingTexts>;

const NO_TEXTS = { remediationMd: null, remediationHtml: null, evidence: null, evidenceBy: null, evidenceAt: null };

/** Edits the texts and the severity of a finding. The values of a check or a file are kept: see `Pins`. */
@Injectable()
export class FindingEditor {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly texts: FindingTextsRepository,
    private readonly history: FindingHistoryRepository,
    private readonly totals: AssetTotalsRepository,
    private readonly slas: FindingSlaRepository,
    private readonly vulnerabilities: FindingVulnerabilities,
    private readonly organizations: OrganizationsService,
    private readonly markdown: MarkdownRenderer,
  ) {}

  /**
   * Returns undefined if nothing is edited. Call it before the first read, so that no connection is held while it waits for a
   * thread.
   */
  async prepare({ tenant }: Caller, edit: FindingEdit = {}): Promise<PreparedEdit | undefined> {
    const { reason: _reason, ...fields } = edit;
    if (Object.values(fields).every((value) => value === undefined)) return undefined;
    const statement = { severity: edit.severity, score: edit.score, cvssVector: edit.cvssVector };
    const isStated = Object.values(statement).some((value) => value !== undefined);
    const twice = edit.unpin?.find((field) => (field === 'severity' ? isStated : edit[field] !== undefined));
    if (twice !== undefined) throw invalid(`unpin must not name ${twice}, because the request also sets it.`);
    const { md, remediation, severity: _severity, ...rest } = edit;
    return {
      ...rest,
      stated: isStated ? storedSeverityOf(severityOfFinding(statement)) : undefined,
      md: md == null ? md : await this.markdown.render(md, tenant),
      remediation: remediation == null ? remediation : await this.markdown.render(remediation, tenant),
    };
  }

  /** A change of the SLA waits for this lock, and then moves the due date of this finding as well. */
  async lockSla(caller: Caller, organizationId: number): Promise<void> {
    await this.organizations.lockForShare(caller.scope, organizationId);
  }

  /** The finding is locked, and the caller is a member. Returns what changed. */
  async apply(caller: Caller, finding: LockedFinding, edit: PreparedEdit): Promise<readonly FieldChange[]> {
    const { id, organizationId } = finding;
    const [texts = { ...NO_TEXTS, findingId: id, organizationId, statedMd: null, statedHtml: null }] =
      (await this.texts.listOfVisible([id])) as StoredTexts[];
    const isPinned = Object.keys(finding.edits?.pins ?? {}).length > 0;
    const isScanned = isPinned || finding.checkId !== null || (await this.texts.wasScanned(id));
    const edited = editedFields(finding, texts, edit);
    if (isScanned && isLower(edited.severity, finding)) requireMayLower(caller, finding, edited.severity, edit);
    const after = textsAfter(caller, texts, edit);
    const stated = changesBetween(finding, texts, edited, after);
    const pins = isScanned ? pinsAfter(finding, texts, edited) : {};
    const statedTexts = statedTextsAfter(finding, texts, pins);
    if (stated.length === 0) return [];
    const dueDate = await this.dueDateAfter(finding, edited.severity);
    const changes = [...stated, fieldChange('due_date', finding.dueDate, dueDate)].filter((one) => one !== undefined);
    const { created } = await this.history.addEdit(caller.actor, finding, changes, edit.reason ?? null);
    await this.saveFinding({ ...finding, dueDate }, edited, { at: created.toISOString(), by: caller.actor.id, pins });
    const saved = { ...after, ...statedTexts };
    if (!isDeepStrictEqual(saved, texts)) await this.texts.save(saved);
    return changes;
  }

  private async dueDateAfter(finding: LockedFinding, { severity }: StoredSeverity): Promise<string | null> {
    if (severity === finding.severity) return finding.dueDate;
    const sla = (await this.slas.findOfVisible(finding.organizationId)) ?? defaultSla;
    return dueDateOfFinding(sla, { ...finding, severity });
  }

  private async saveFinding(
    finding: LockedFinding,
    { severity: stated, text, ...edited }: EditedFields,
    edits: NonNullable<LockedFinding['edits']>,
  ): Promise<void> {
    const severity = stated.severity as SeverityNumber;
    const changed = { ...finding, ...edited, ...text, ...stated, severity, edits };
    const copy = (await this.vulnerabilities.copiesOf([changed]))(changed);
    const priority = priorityOf(priorityFactsOf({ ...changed, ...copy }));
    await this.findings.saveEdited({ ...changed, ...copy, priority });
    const totals = changeOfTotals(finding, changed);
    if (finding.assetId !== null && !isNoChange(totals))
      await this.totals.add(finding.assetId, finding.organizationId, totals);
  }
}

interface EditedFields extends Pick<LockedFinding, 'title' | 'cwe' | 'cve' | 'otherCves'> {
  readonly text: Pick<LockedFinding, 'md' | 'html'>;
  readonly severity: StoredSeverity;
}

const NO_TEXT = { md: null, html: null };

function editedFields(finding: LockedFinding, texts: StoredTexts, edit: PreparedEdit): EditedFields {
  const pins = finding.edits?.pins ?? {};
  const isBack = (field: PinnedField): boolean => edit.unpin?.includes(field) === true && pins[field] !== undefined;
  const { md, html } = finding;
  const cve = edit.cve === undefined ? finding.cve : edit.cve;
  return {
    title: (isBack('title') ? pins.title : edit.title) ?? finding.title,
    text: isBack('md')
      ? { md: texts.statedMd, html: texts.statedHtml }
      : edit.md === undefined
        ? { md, html }
        : (edit.md ?? NO_TEXT),
    severity: (isBack('severity') ? pins.severity : edit.stated) ?? severityIn(finding),
    cwe: edit.cwe === undefined ? finding.cwe : edit.cwe,
    cve,
    otherCves: finding.otherCves.filter((other) => other !== cve),
  };
}

function textsAfter({ facts }: Caller, texts: StoredTexts, { remediation, evidence }: PreparedEdit): StoredTexts {
  const pasted = evidence == null ? evidence : redact(evidence);
  return {
    ...texts,
    ...(remediation !== undefined && {
      remediationMd: remediation?.md ?? null,
      remediationHtml: remediation?.html ?? null,
    }),
    ...(pasted !== undefined &&
      pasted !== texts.evidence && {
        evidence: pasted,
        evidenceBy: pasted === null ? null : facts.userId,
        evidenceAt: pasted === null ? null : new Date(),
      }),
  };
}

/** The values of the check or the file for each field that now differs from them. */
function pinsAfter(finding: LockedFinding, texts: StoredTexts, { title, text, severity }: EditedFields): Pins {
  const before = finding.edits?.pins ?? {};
  const stated = {
    title: before.title ?? finding.title,
    md: before.md ? texts.statedMd : finding.md,
    severity: before.severity ?? severityIn(finding),
  };
  return {
    ...(stated.title !== title && { title: stated.title }),
    ...(stated.md !== text.md && { md: true as const }),
    ...(!isDeepStrictEqual(stated.severity, severity) && { severity: stated.severity }),
  };
}

function statedTextsAfter(finding: LockedFinding, texts: StoredTexts, pins: Pins) {
  if (pins.md !== true) return { statedMd: null, statedHtml: null };
  const { statedMd, statedHtml } = texts;
  return finding.edits?.pins.md === true
    ? { statedMd, statedHtml }
    : { statedMd: finding.md, statedHtml: finding.html };
}

function requireMayLower(
  caller: Caller,
  finding: LockedFinding,
  to: StoredSeverity,
  { reason }: Pick<PreparedEdit, 'reason'>,
): void {
  const change = `from ${nameOf(finding)} to ${nameOf(to)}`;
  if (!caller.hasRole('admin', finding.organizationId))
    throw forbidden(
      `Only an admin may lower the severity of finding ${finding.id} ${change}, because a check or a file has found it. Ask an admin.`,
    );
  if (reason == null || reason.trim() === '')
    throw unprocessable(
      `reason must say why the severity is lowered ${change}: a check or a file has found the finding.`,
    );
}

const nameOf = ({ severity, score }: StoredSeverity): string =>
  `${SEVERITIES[severity] ?? 'none'}${score === null ? '' : ` ${score}`}`;

const changesBetween = (
  from: LockedFinding,
  textsFrom: StoredTexts,
  to: EditedFields,
  textsTo: StoredTexts,
): readonly FieldChange[] =>
  [
    fieldChange('title', from.title, to.title),
    fieldChange('severity', SEVERITIES[from.severity], SEVERITIES[to.severity.severity] ?? null),
    fieldChange('score', from.score, to.severity.score),
    fieldChange('cvss_vector', from.cvssVector, to.severity.cvssVector),
    fieldChange('cwe', numberText(from.cwe), numberText(to.cwe)),
    fieldChange('cve', from.cve, to.cve),
    fieldChange('md', from.md, to.text.md),
    fieldChange('remediation', textsFrom.remediationMd, textsTo.remediationMd),
    fieldChange('evidence', textsFrom.evidence, textsTo.evidence),
  ].filter((change) => change !== undefined);
