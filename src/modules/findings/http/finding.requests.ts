import { dayOf } from '../../../kernel/day';
import { SEVERITIES, type Severity, severityNumber } from '../../../kernel/severity';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { Caller } from '../../../platform/api/caller';
import {
  Comment,
  Day,
  type FieldOptions,
  field,
  Flag,
  Id,
  Instant,
  Integer,
  ListOf,
  OneOf,
  passes,
  Share,
  SingleLineText,
  Text,
  TextListWithRule,
  TextWithRule,
} from '../../../platform/http/fields';
import { PageQuery, type SortValue } from '../../../platform/http/page-query';
import type { FindingFilter, FindingOrder } from '../changes/data/findings.repository';
import { FINDING_STATUS, type FindingStatus, FINDING_STATUS_LABELS } from '../domain/finding-status';
import { MAX_LABEL_LENGTH, MAX_LABELS, normalizeLabel, normalizeLabels } from '../domain/labels';
import { MAX_REFERENCE_LENGTH, MAX_REFERENCES, requireReferences } from '../domain/references';
import { MAX_SLA_DAYS } from '../domain/sla';
import { VERIFICATION_RESULTS, type VerificationResult } from '../domain/verification';

const MAX_ID = 2_147_483_647;

/** At least one, without repetitions. */
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
}

export const Labels = (options?: FieldOptions): PropertyDecorator =>
  TextListWithRule(normalizeLabels, { minItems: 0, maxItems: MAX_LABELS, maxLength: MAX_LABEL_LENGTH * 2 }, options);

const REFERENCES_RULE = `at most ${MAX_REFERENCES} http or https URLs that describe the weakness.`;

export const References = (options?: FieldOptions): PropertyDecorator =>
  TextListWithRule(
    requireReferences,
    { minItems: 0, maxItems: MAX_REFERENCES, maxLength: MAX_REFERENCE_LENGTH },
    { description: `References, ${REFERENCES_RULE}`, ...options },
  );

export class ChangeFindingRequest {
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

const USER_ID = /^[1-9]\d{0,9}$/;
const assigneeSchema: ApiPropertyOptions = { type: 'string', pattern: '^(me|none|[1-9][0-9]{0,9})$' };

const isAssignee = (value: unknown): boolean =>
  value === 'me' || value === 'none' || (typeof value === 'string' && USER_ID.test(value) && Number(value) <= MAX_ID);

const Assignee = (options: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [passes(isAssignee)],
      sentence: 'must be the id of a user, me or none',
      schema: assigneeSchema,
    },
    options,
  );

/** For the findings of an organization and of an event. */
export class ListFindingsQuery extends PageQuery {
  @OneOf(Object.values(FINDING_STATUS), {
    labels: FINDING_STATUS_LABELS,
    optional: true,
    description: 'Only findings with this status.',
  })
  status?: FindingStatus;

  @OneOf(SEVERITIES, { optional: true, description: 'Only findings of at least this severity.' })
  severity?: Severity;

  @Id({ optional: true, description: 'Only findings on this asset.' })
  asset_id?: number;

  @SingleLineText(200, {
    optional: true,
    description:
      'A substring of the title or of the asset value, case-insensitive. Of a long asset value only the beginning is searched.',
  })
  q?: string;

  @Assignee({
    optional: true,
    description:
      'Only findings that are assigned to the user with this id or to the caller (`me`), or that have no assignee (`none`).',
  })
  assignee?: string;

  @TextWithRule(
    normalizeLabel,
    { minLength: 1, maxLength: MAX_LABEL_LENGTH * 2 },
    { optional: true, description: 'Only findings with this label.' },
  )
  label?: string;

  @SingleLineText(200, { optional: true, description: 'Only findings of the check with this id.' })
  check?: string;

  @OneOf(VERIFICATION_RESULTS, {
    optional: true,
    description: 'Only findings whose test had this result, or that were not tested.',
  })
  verification?: VerificationResult;

  @Id({ optional: true, description: 'Only findings that the import with this id has seen.' })
  import?: number;

  @Flag({
    optional: true,
    description: 'With `true`, only open findings whose due date was before today (UTC).',
  })
  overdue?: boolean;

  @Day({ optional: true, description: 'Only open findings that are due before this day.' })
  due_before?: string;

  @Integer(1, 99_999, { optional: true, description: 'Only findings with this CWE.' })
  cwe?: number;

  @Flag({ optional: true, description: 'With `true`, only findings whose CVE is known to be exploited (CISA KEV).' })
  kev?: boolean;

  @Share({ optional: true, description: 'Only findings whose CVE has at least this EPSS score, such as 0.5.' })
  epss_min?: number;

  @Id({
    optional: true,
    description: 'Only findings that are merged into this one. Lists without this parameter leave merged findings out.',
  })
  merged_into?: number;

  @OneOf(['severity', 'priority', 'due_date'], {
    optional: true,
    description:
      'The sort order. By default the newest first; with `due_date` the open findings with the soonest due date first.',
  })
  sort?: 'severity' | 'priority' | 'due_date';

  filterFor({ facts }: Pick<Caller, 'facts'>, now = new Date()): FindingFilter {
    const bounds = [this.due_before, this.overdue === true ? dayOf(now) : undefined].filter((day) => day !== undefined);
    return {
      status: this.status,
      minSeverity: this.severity && severityNumber(this.severity),
      assetId: this.asset_id,
      searchText: this.q,
      assignee: this.assignee === 'me' ? facts.userId : this.assigneeId,
      label: this.label === undefined ? undefined : normalizeLabel(this.label),
      checkId: this.check,
      verification: this.verification,
      importId: this.import,
      dueBefore: bounds.sort()[0],
      cwe: this.cwe,
      isKnownExploited: this.kev === true ? true : undefined,
      minEpss: this.epss_min,
      mergedInto: this.merged_into,
    };
  }

  private get assigneeId(): number | 'none' | undefined {
    if (this.assignee === undefined || this.assignee === 'none') return this.assignee;
    return Number(this.assignee);
  }

  get order(): FindingOrder {
    return this.sort ?? 'newest';
  }

  override get sortValues(): readonly SortValue[] {
    return this.sort === undefined ? ['integer'] : ['integer', 'integer'];
  }
}
