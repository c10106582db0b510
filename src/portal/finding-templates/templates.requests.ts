import { SEVERITIES, type Severity } from '../../kernel/severity';
import { MAX_TEMPLATE_NAME_LENGTH, MAX_TEXT, type TemplateDraft } from '../../modules/findings';
import { Integer, Name, OneOf, Text } from '../../platform/http/fields';

/** A field that is left empty says nothing. */
export class TemplateForm {
  @Name(MAX_TEMPLATE_NAME_LENGTH)
  name!: string;

  @Name(500)
  title!: string;

  @Integer(1, 99_999, { optional: true })
  cwe?: number;

  @OneOf(SEVERITIES, { optional: true })
  severity?: Severity;

  @Text(1, 300, { optional: true })
  cvss_vector?: string;

  @Text(0, MAX_TEXT, { optional: true })
  md?: string;

  @Text(0, MAX_TEXT, { optional: true })
  remediation?: string;

  get draft(): TemplateDraft {
    const { name, title, cwe = null, severity = null, cvss_vector: cvssVector = null } = this;
    return { name, title, cwe, severity, cvssVector, md: this.md ?? null, remediation: this.remediation ?? null };
  }
}
