import { invalid } from '../../kernel/domain-error';
import { Location, Parameter } from '../../modules/events';
import {
  CVSS_VERSIONS,
  EditFindingRequest,
  editOf,
  type FindingChange,
  type FindingEdit,
  labelsIn,
  MAX_EVIDENCE,
  MAX_LABELS_LENGTH,
} from '../../modules/findings';
import { Comment, Day, Id, Name, OneOf, Text } from '../../platform/http/fields';
import { type Choices, METRIC_FIELDS, unchosenIn, vectorOf } from './cvss-fields';

/** Both are stored as one evidence. */
export const MAX_REQUEST = 6_000;
export const MAX_RESPONSE = MAX_EVIDENCE - MAX_REQUEST - 2;

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
    const [unchosen] = this.unchosen;
    if (unchosen !== undefined) throw invalid(`${unchosen} must be chosen.`);
    const ways = {
      keep: () => ({}),
      severity: () => ({ severity }),
      vector: () => ({ cvssVector }),
      '3.1': () => ({ cvssVector: vectorOf('3.1', this.choices) }),
      '4.0': () => ({ cvssVector: vectorOf('4.0', this.choices) }),
    };
    return { severity: undefined, score: undefined, cvssVector: undefined, ...ways[this.rating]() };
  }

  /** The fields of the chosen way that are empty. */
  get unchosen(): readonly string[] {
    const { rating, choices } = this;
    if (rating === '3.1' || rating === '4.0') return unchosenIn(rating, choices);
    if (rating === 'severity') return this.severity == null ? ['severity'] : [];
    return rating === 'vector' && this.cvss_vector == null ? ['cvss_vector'] : [];
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

  @Location()
  location?: string | null;

  @Parameter()
  parameter?: string | null;

  @Text(0, MAX_REQUEST, { optional: true })
  request?: string;

  @Text(0, MAX_RESPONSE, { optional: true })
  response?: string;

  @Id({ optional: true })
  assignee_id?: number;

  @Text(0, MAX_LABELS_LENGTH, { optional: true })
  labels?: string;

  @Day({ optional: true })
  due_date?: string;

  /** What people note beside what it says. */
  get work(): Pick<FindingChange, 'assigneeId' | 'labels' | 'dueDate'> {
    const { assignee_id: assigneeId, labels, due_date: dueDate } = this;
    return { assigneeId, dueDate, labels: labels === undefined ? undefined : labelsIn(labels) };
  }

  /** Shown and edited as one text. */
  override get edit(): FindingForm['edit'] {
    const messages = [this.request, this.response].filter((text) => text !== undefined);
    return { ...super.edit, evidence: messages.length === 0 ? null : messages.join('\n\n') };
  }
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
