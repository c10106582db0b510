import {
  Comment,
  Day,
  type FieldOptions,
  Flag,
  Id,
  Instant,
  Integer,
  ListOf,
  OneOf,
  Text,
  TextListWithRule,
  TextWithRule,
} from '../../../platform/http/fields';
import { FINDING_STATUS, type FindingStatus, FINDING_STATUS_LABELS } from '../domain/finding-status';
import { MAX_LABEL_LENGTH, MAX_LABELS, normalizeLabel, normalizeLabels } from '../domain/labels';
import { MAX_REFERENCE_LENGTH, MAX_REFERENCES, requireReferences } from '../domain/references';
import { MAX_SLA_DAYS } from '../domain/sla';
import { VEX_JUSTIFICATIONS, type VexJustification } from '../domain/vex-justification';
import { EditFindingRequest } from './finding-edit.requests';

export const MAX_ID = 2_147_483_647;

/** At least one id, without repetitions. */
export const FindingIds = (max: number, options?: FieldOptions): PropertyDecorator =>
  ListOf(
    {
      check: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_ID,
      sentence: 'is the id of a finding',
      items: { type: 'integer', minimum: 1, maximum: MAX_ID },
      unique: true,
    },
    1,
    max,
    options,
  );

export const JUSTIFICATION_RULE =
  'Only with the statuses 6, 7 and 9: why the CVE does not affect the product. VEX documents state it with `not_affected`.';

export class ChangeFindingStatusRequest {
  @OneOf(Object.values(FINDING_STATUS), { labels: FINDING_STATUS_LABELS })
  status!: FindingStatus;

  @Text(0, 2_000, { nullable: true, description: 'The reason. It is stored in the history of the finding.' })
  comment?: string | null;

  @Instant(
    {
      nullable: true,
      description:
        'Only with status 6: the last day of the acceptance. Afterwards the finding gets its current status again.',
    },
    'upper',
  )
  until?: Date | null;

  @OneOf(VEX_JUSTIFICATIONS, { nullable: true, description: JUSTIFICATION_RULE })
  justification?: VexJustification | null;
}

/** A label in a filter. */
export const Label = (options?: FieldOptions): PropertyDecorator =>
  TextWithRule(normalizeLabel, { minLength: 1, maxLength: MAX_LABEL_LENGTH * 2 }, options);

export const Labels = (options?: FieldOptions): PropertyDecorator =>
  TextListWithRule(normalizeLabels, { minItems: 0, maxItems: MAX_LABELS, maxLength: MAX_LABEL_LENGTH * 2 }, options);

const REFERENCES_RULE = `at most ${MAX_REFERENCES} http or https URLs that describe the weakness.`;

export const References = (options?: FieldOptions): PropertyDecorator =>
  TextListWithRule(
    requireReferences,
    { minItems: 0, maxItems: MAX_REFERENCES, maxLength: MAX_REFERENCE_LENGTH },
    { description: `References, ${REFERENCES_RULE}`, ...options },
  );

export class ChangeFindingRequest extends EditFindingRequest {
  @Id({ nullable: true, description: 'A member of the organization, or null for no assignee. Absent: unchanged.' })
  assignee_id?: number | null;

  @Day({
    nullable: true,
    description: 'The last day to fix it, or null for none. The SLA then no longer changes it. Absent: unchanged.',
  })
  due_date?: string | null;

  @Labels({
    optional: true,
    description: `All labels of the finding, each of at most ${MAX_LABEL_LENGTH} characters, whatever their case. Absent: unchanged.`,
  })
  labels?: string[];

  @References({ optional: true, description: `All references of the finding, ${REFERENCES_RULE} Absent: unchanged.` })
  references?: string[];

  @Flag({
    optional: true,
    description:
      'Allows the YAML check of the finding to send requests with methods other than GET, HEAD and OPTIONS, or ends that. Requires the role admin. Absent: unchanged.',
  })
  allow_unsafe?: boolean;
}

export class CommentRequest {
  @Comment(2_000)
  comment!: string;
}

export class NewCommentRequest extends CommentRequest {
  @Flag({ optional: true, description: 'An agent wrote the comment: it is marked as such, and mentions nobody.' })
  by_agent?: boolean;
}

const MAX_MERGED_AT_ONCE = 100;

export class MergeFindingsRequest {
  @FindingIds(MAX_MERGED_AT_ONCE, { description: 'The findings that become a part of this one.' })
  finding_ids!: number[];
}

export class SeparateFindingsRequest {
  @FindingIds(MAX_MERGED_AT_ONCE, { description: 'Findings that are merged into this one.' })
  finding_ids!: number[];
}

const SlaDays = (severity: string): PropertyDecorator =>
  Integer(1, MAX_SLA_DAYS, {
    nullable: true,
    description: `The days in which ${severity} findings are to be fixed, or null for no limit. Absent: unchanged.`,
  });

export class ChangeSlaRequest {
  @SlaDays('critical and cosmic')
  critical?: number | null;

  @SlaDays('high')
  high?: number | null;

  @SlaDays('medium')
  medium?: number | null;

  @SlaDays('low')
  low?: number | null;
}
