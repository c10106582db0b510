import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { Comment, Decimal, Integer, ListOf, Name, OneOf, Text, TextWithRule } from '../../../platform/http/fields';
import type { FindingEdit } from '../changes/finding-editor';
import { requireCve } from '../domain/cve';
import { PINNED_FIELDS, type PinnedField } from '../domain/pins';

export const MAX_TEXT = 65_536;
export const MAX_EVIDENCE = 20_000;

export const Cve = (description?: string): PropertyDecorator =>
  TextWithRule(
    requireCve,
    { minLength: 13, maxLength: 28, pattern: '^CVE-\\d{4}-\\d{4,19}$' },
    { nullable: true, ...(description !== undefined && { description }) },
  );

/** What a person says of a finding. Absent: unchanged. */
export class EditFindingRequest {
  @Name(500, { optional: true, description: 'The fingerprint stays that of the first title. Absent: unchanged.' })
  title?: string;

  @Text(0, MAX_TEXT, { nullable: true, description: 'The description as Markdown. Absent: unchanged.' })
  md?: string | null;

  @Text(0, MAX_TEXT, { nullable: true, description: 'How to fix it, as Markdown. Absent: unchanged.' })
  remediation?: string | null;

  @OneOf(SEVERITIES, {
    nullable: true,
    description: 'Set one of severity, score and cvss_vector: the others follow from it. Absent: unchanged.',
  })
  severity?: Severity | null;

  @Decimal(0, 10, { nullable: true })
  score?: number | null;

  @Text(1, 300, { nullable: true, description: 'CVSS 3.0, 3.1 or 4.0.' })
  cvss_vector?: string | null;

  @Cve('The first CVE. Absent: unchanged.')
  cve?: string | null;

  @Integer(1, 99_999, {
    nullable: true,
    description: 'The number in the Common Weakness Enumeration. Absent: unchanged.',
  })
  cwe?: number | null;

  @Text(0, MAX_EVIDENCE, {
    nullable: true,
    description:
      'Evidence that you paste. Secrets in it are redacted. It is shown as yours, and no signature covers it. Absent: unchanged.',
  })
  evidence?: string | null;

  @ListOf(
    {
      check: (value) => PINNED_FIELDS.some((field) => field === value),
      sentence: `is one of ${PINNED_FIELDS.join(', ')}`,
      items: { type: 'string', enum: [...PINNED_FIELDS] },
      unique: true,
    },
    1,
    PINNED_FIELDS.length,
    {
      optional: true,
      description: 'Fields that become what the check or the file says again. `severity` includes score and vector.',
    },
  )
  unpin?: PinnedField[];

  @Comment(2_000, {
    nullable: true,
    description:
      'Why, for the history. Required if the severity or the score of a finding that a check or a file has found becomes lower.',
  })
  reason?: string | null;
}

export const editOf = (body: EditFindingRequest): FindingEdit => ({
  title: body.title,
  md: body.md,
  remediation: body.remediation,
  severity: body.severity,
  score: body.score,
  cvssVector: body.cvss_vector,
  cwe: body.cwe,
  cve: body.cve,
  evidence: body.evidence,
  unpin: body.unpin,
  reason: body.reason,
});
