import { SEVERITIES } from '../../../kernel/severity';
import { ResponseField } from '../../../platform/api/response-field';
import type { WrittenTexts } from '../changes/finding-texts.service';
import { type FindingEdits, PINNED_FIELDS } from '../domain/pins';

/** The summary of edits in the response of a finding. */
export class EditedResponse {
  @ResponseField.instant({ description: 'When it was last edited.' })
  at!: string;

  @ResponseField.string({ description: 'The id of the user.' })
  user_id!: string;

  @ResponseField.strings({
    description: 'The fields whose values scans and imports leave as they are.',
  })
  pinned!: string[];
}

export const presentEdited = ({ at, by, pins }: FindingEdits): EditedResponse => ({
  at,
  user_id: by,
  pinned: PINNED_FIELDS.filter((field) => pins[field] !== undefined),
});

class PastedEvidenceResponse {
  @ResponseField.string({
    description: 'The text as a person pasted it, with secrets redacted. No signature covers it.',
  })
  text!: string;

  @ResponseField.integer({ nullable: true, description: 'The user who pasted it.' })
  user_id!: number | null;

  @ResponseField.instant()
  pasted_at!: string;
}

class StatedSeverityResponse {
  @ResponseField.string({ enum: SEVERITIES })
  severity!: string;

  @ResponseField.number({ nullable: true })
  score!: number | null;

  @ResponseField.string({ nullable: true })
  cvss_vector!: string | null;
}

class StatedDescriptionResponse {
  @ResponseField.string({ nullable: true })
  md!: string | null;

  @ResponseField.string({ nullable: true })
  html!: string | null;
}

class StatedResponse {
  @ResponseField.string({ nullable: true })
  title!: string | null;

  @ResponseField.one(StatedDescriptionResponse, { nullable: true })
  description!: StatedDescriptionResponse | null;

  @ResponseField.one(StatedSeverityResponse, { nullable: true })
  severity!: StatedSeverityResponse | null;
}

export class FindingEditsResponse {
  @ResponseField.string({ nullable: true, description: 'How to fix it: Markdown.' })
  remediation_md!: string | null;

  @ResponseField.string({ nullable: true, description: 'The Markdown as sanitized HTML.' })
  remediation_html!: string | null;

  @ResponseField.one(PastedEvidenceResponse, { nullable: true })
  evidence!: PastedEvidenceResponse | null;

  @ResponseField.one(StatedResponse, {
    description:
      'The latest values of the check or the file for each pinned field; null for fields that are not pinned.',
  })
  stated!: StatedResponse;
}

export function presentEdits({ texts, pins }: WrittenTexts): FindingEditsResponse {
  const { evidence = null, evidenceAt = null, evidenceBy = null } = texts ?? {};
  const { title = null, md, severity } = pins;
  return {
    remediation_md: texts?.remediationMd ?? null,
    remediation_html: texts?.remediationHtml ?? null,
    evidence:
      evidence === null || evidenceAt === null
        ? null
        : { text: evidence, user_id: evidenceBy, pasted_at: evidenceAt.toISOString() },
    stated: {
      title,
      description: md === true ? { md: texts?.statedMd ?? null, html: texts?.statedHtml ?? null } : null,
      severity:
        severity === undefined
          ? null
          : {
              severity: SEVERITIES[severity.severity] ?? 'none',
              score: severity.score === null ? null : Number(severity.score),
              cvss_vector: severity.cvssVector,
            },
    },
  };
}

export const findingEditsExample: FindingEditsResponse = {
  remediation_md: 'Allow **TLS 1.2** and later only.',
  remediation_html: '<p>Allow <strong>TLS 1.2</strong> and later only.</p>\n',
  evidence: { text: 'Protocol: TLSv1', user_id: 12, pasted_at: '2026-01-31T12:00:00.000Z' },
  stated: {
    title: 'TLS 1.0 is offered',
    description: null,
    severity: { severity: 'medium', score: 5.9, cvss_vector: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:N/A:N' },
  },
};
