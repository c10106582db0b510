import { invalid } from '../../kernel/domain-error';
import { CVSS_VERSIONS, EditFindingRequest, editOf, type FindingEdit } from '../../modules/findings';
import { Comment, Id, Name, OneOf, Text } from '../../platform/http/fields';
import { type Choices, METRIC_FIELDS, vectorOf } from './cvss-fields';

const RATINGS = ['keep', 'severity', 'vector', ...CVSS_VERSIONS] as const;

/** What a finding says. A field that is left empty has no value. */
export class FindingForm extends EditFindingRequest {
  @OneOf(RATINGS)
  rating!: (typeof RATINGS)[number];

  get edit(): FindingEdit & { readonly title: string } {
    const { title, md = null, remediation = null, cve = null, cwe = null, evidence = null } = this;
    // A preview needs none.
    if (title === undefined) throw invalid('title must have 1 to 500 characters.');
    return { ...editOf(this), title, md, remediation, cve, cwe, evidence, ...this.stated };
  }

  /** By the way that is chosen. The fields of the others do not count. */
  get stated(): Pick<FindingEdit, 'severity' | 'score' | 'cvssVector'> {
    const [severity, cvssVector] = [this.severity ?? null, this.cvss_vector ?? null];
    const ways = {
      keep: () => ({}),
      severity: () => ({ severity }),
      vector: () => ({ cvssVector }),
      '3.1': () => ({ cvssVector: vectorOf('3.1', this.choices) }),
      '4.0': () => ({ cvssVector: vectorOf('4.0', this.choices) }),
    };
    return { severity: undefined, score: undefined, cvssVector: undefined, ...ways[this.rating]() };
  }

  get choices(): Choices {
    return this as unknown as Choices;
  }
}

for (const { name, values } of METRIC_FIELDS) OneOf(values, { optional: true })(FindingForm.prototype, name);

export class EditForm extends FindingForm {
  /** When it was edited last, as the page showed it. */
  @Text(1, 64)
  version!: string;
}

export class NewFindingForm extends FindingForm {
  @Id({ optional: true })
  asset_id?: number;

  /** Its slug. */
  @Name(200, { optional: true })
  event?: string;
}

/** What a new finding begins with. */
export class NewFindingQuery {
  @Id({ optional: true })
  asset_id?: number;

  @Name(200, { optional: true })
  event?: string;

  @Id({ optional: true })
  template?: number;
}

export class UnpinForm {
  @OneOf(['title', 'md', 'severity'])
  field!: 'title' | 'md' | 'severity';

  @Comment(2_000, { optional: true })
  reason?: string;
}
