import { invalid } from '../../kernel/domain-error';
import { SEVERITIES, type Severity } from '../../kernel/severity';
import { Cve, CVSS_VERSIONS, type FindingEdit, MAX_EVIDENCE, MAX_TEXT } from '../../modules/findings';
import { Comment, Id, Integer, Name, OneOf, Text } from '../../platform/http/fields';
import { type Choices, METRIC_FIELDS, vectorOf } from './cvss-fields';

export const RATINGS = ['keep', 'severity', 'vector', ...CVSS_VERSIONS] as const;

/** What a finding says. A field that is left empty has no value. */
export class FindingForm {
  /** Optional for a preview. */
  @Name(500, { optional: true })
  title?: string;

  @Text(0, MAX_TEXT, { optional: true })
  md?: string;

  @Text(0, MAX_TEXT, { optional: true })
  remediation?: string;

  @OneOf(RATINGS)
  rating!: (typeof RATINGS)[number];

  @OneOf(SEVERITIES, { optional: true })
  severity?: Severity;

  @Text(1, 300, { optional: true })
  cvss_vector?: string;

  @Cve()
  cve?: string;

  @Integer(1, 99_999, { optional: true })
  cwe?: number;

  @Text(0, MAX_EVIDENCE, { optional: true })
  evidence?: string;

  get edit(): FindingEdit {
    const { md = null, remediation = null, cve = null, cwe = null, evidence = null } = this;
    return { title: this.requiredTitle, md, remediation, cve, cwe, evidence, ...this.stated };
  }

  get requiredTitle(): string {
    if (this.title === undefined) throw invalid('title must have 1 to 500 characters.');
    return this.title;
  }

  /** By the way that is chosen. The fields of the others do not count. */
  get stated(): Pick<FindingEdit, 'severity' | 'cvssVector'> {
    const { rating } = this;
    if (rating === 'keep') return {};
    if (rating === 'severity') return { severity: this.severity ?? null };
    return { cvssVector: rating === 'vector' ? (this.cvss_vector ?? null) : vectorOf(rating, this.choices) };
  }

  get choices(): Choices {
    return this as unknown as Choices;
  }
}

for (const { name, values } of METRIC_FIELDS) OneOf(values, { optional: true })(FindingForm.prototype, name);

export class EditForm extends FindingForm {
  @Comment(2_000, { optional: true })
  reason?: string;

  /** When it was edited last, as the page showed it. */
  @Text(1, 64)
  version!: string;

  override get edit(): FindingEdit {
    return { ...super.edit, reason: this.reason ?? null };
  }
}

export class NewFindingForm extends FindingForm {
  @Id({ optional: true })
  asset_id?: number;

  /** Its slug. */
  @Name(200, { optional: true })
  event?: string;
}

export class NewFindingQuery {
  @Id({ optional: true })
  asset_id?: number;
}

export class UnpinForm {
  @OneOf(['title', 'md', 'severity'])
  field!: 'title' | 'md' | 'severity';

  @Comment(2_000, { optional: true })
  reason?: string;
}
