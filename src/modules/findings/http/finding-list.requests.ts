import { dayOf } from '../../../kernel/day';
import { SEVERITIES, type Severity, severityNumber } from '../../../kernel/severity';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import type { Caller } from '../../../platform/api/caller';
import {
  Day,
  type FieldOptions,
  field,
  Flag,
  Id,
  Integer,
  OneOf,
  passes,
  Share,
  SingleLineText,
} from '../../../platform/http/fields';
import { PageQuery, type SortValue } from '../../../platform/http/page-query';
import { OwnerFilterField, ownerFilterOf } from '../../identity';
import type { FindingFilter } from '../lists/data/finding-filter';
import type { FindingOrder } from '../lists/data/finding-orders';
import { type Belief, BELIEFS } from '../domain/belief';
import { FINDING_STATUS, type FindingStatus, FINDING_STATUS_LABELS } from '../domain/finding-status';
import { titleKeyOf } from '../domain/fingerprint';
import { normalizeLabel } from '../domain/labels';
import { VERIFICATION_RESULTS, type VerificationResult } from '../domain/verification';
import { Label, MAX_ID } from './finding.requests';

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

const SORT_VALUES: Readonly<Record<FindingOrder, readonly SortValue[]>> = {
  newest: ['integer'],
  severity: ['integer', 'integer'],
  priority: ['integer', 'integer', 'integer'],
  due_date: ['integer', 'integer'],
};

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
      'Findings in which each word of the text is found, case-insensitive: any part of the title, of the asset value (of a long one only the beginning), the check, a CVE, the CWE (`cwe-79`) or a label; the beginning of a word of the description or of the name or e-mail address of the assignee; or the id (`9` or `#9`).',
  })
  q?: string;

  @Assignee({
    optional: true,
    description:
      'Only findings that are assigned to the user with this id or to the caller (`me`), or that have no assignee (`none`).',
  })
  assignee?: string;

  @OwnerFilterField({
    optional: true,
    description:
      'Only findings on assets of this owner: `me` with the groups of the caller, `none` for those without one.',
  })
  owner?: string;

  @Label({ optional: true, description: 'Only findings with this label.' })
  label?: string;

  @SingleLineText(200, { optional: true, description: 'Only findings of the check with this id.' })
  check?: string;

  @SingleLineText(500, { optional: true, description: 'Only findings with this title, in any case.' })
  title?: string;

  @OneOf(BELIEFS, {
    optional: true,
    description: 'Only findings that are proved, claimed, untestable or refuted.',
  })
  belief?: Belief;

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

  @OneOf(['none', 'any'], { optional: true, description: 'Only findings without a ticket in a tracker, or with one.' })
  ticket?: 'none' | 'any';

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
      hasTicket: this.ticket && this.ticket === 'any',
      minSeverity: this.severity && severityNumber(this.severity),
      assetId: this.asset_id,
      searchText: this.q,
      assignee: this.assignee === 'me' ? facts.userId : this.assigneeId,
      label: this.label === undefined ? undefined : normalizeLabel(this.label),
      owner: this.owner === undefined ? undefined : ownerFilterOf(this.owner, facts.userId),
      checkId: this.check,
      titleKey: this.title === undefined ? undefined : titleKeyOf(this.title),
      belief: this.belief,
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
    return SORT_VALUES[this.order];
  }
}
