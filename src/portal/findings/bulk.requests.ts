import { Transform } from 'class-transformer';
import { FINDING_STATUS, FINDING_STATUS_LABELS, type FindingStatus, labelsIn } from '../../modules/findings';
import type { BulkAction } from '../../modules/retests';
import { Day, field, Id, Instant, OneOf, passes, Text } from '../../platform/http/fields';
import { NO_SUCH_ID, parseId } from '../../platform/http/path-id';

const MAX_SELECTED = 500;

const isId = (value: unknown): boolean => typeof value === 'string' && parseId(value) !== NO_SUCH_ID;

/** The checkboxes of a form: the browser sends a field for each that is checked. */
export const Selection =
  (what = 'findings', isChoice: (value: unknown) => boolean = isId): PropertyDecorator =>
  (target, key) => {
    // The last transformation is applied first, so this one replaces what that of the field has read.
    Transform(({ obj }: { obj: Record<string, unknown> }) =>
      [obj[String(key)]].flat().filter((id) => id !== undefined),
    )(target, key);
    field({
      validators: [
        passes((ids) => Array.isArray(ids) && ids.length > 0 && ids.length <= MAX_SELECTED && ids.every(isChoice)),
      ],
      sentence: `must be 1 to ${MAX_SELECTED} ${what}: select some in the list first`,
      schema: { type: 'array', items: { type: 'string' } },
    })(target, key);
  };

/** The checkbox beside those of the findings: all findings of the filter. */
export const ALL = 'all';

/** Before the key of a group in the value of its checkbox. */
export const GROUP_PREFIX = 'group-';
const isGroup = (value: unknown): boolean => typeof value === 'string' && /^group-\d{1,16}$/.test(value);

export class ClaimsForm {
  /** The filters of the list. */
  @Text(0, 2_000)
  query!: string;
}

const ACTIONS = ['retest', 'status', 'assign', 'due', 'add_labels', 'remove_labels'] as const;

export class BulkForm {
  @Selection('findings', (value) => value === ALL || isId(value) || isGroup(value))
  finding!: string[];

  @OneOf(ACTIONS)
  action!: (typeof ACTIONS)[number];

  @OneOf(Object.values(FINDING_STATUS), { labels: FINDING_STATUS_LABELS, optional: true })
  status?: FindingStatus;

  @Text(0, 2_000, { optional: true })
  comment?: string;

  /** Of an acceptance. */
  @Instant({ optional: true }, 'upper')
  until?: Date;

  /** Absent for no assignee. */
  @Id({ optional: true })
  assignee_id?: number;

  /** Absent for no due date. */
  @Day({ optional: true })
  due_date?: string;

  @Text(0, 1_000, { optional: true })
  labels?: string;

  /** The filters of the list, to return to it. */
  @Text(0, 2_000, { optional: true })
  query?: string;

  /** What a filter finds: all findings of the list, or those of groups of it. */
  get isOfFilter(): boolean {
    return this.isOfList || this.finding.some(isGroup);
  }

  get isOfList(): boolean {
    return this.finding.includes(ALL);
  }

  get ids(): number[] {
    return [...new Set(this.finding.filter(isId).map(Number))];
  }

  get titleKeys(): number[] {
    return this.finding.filter(isGroup).map((value) => Number(value.slice(GROUP_PREFIX.length)));
  }

  get bulkAction(): BulkAction {
    const { action, status = FINDING_STATUS.in_progress, comment, until, labels = '' } = this;
    const actions: Readonly<Record<(typeof ACTIONS)[number], () => BulkAction>> = {
      retest: () => ({ kind: 'retest' }),
      status: () => ({ kind: 'status', change: { status, comment, until } }),
      assign: () => ({ kind: 'change', change: { assigneeId: this.assignee_id ?? null } }),
      due: () => ({ kind: 'change', change: { dueDate: this.due_date ?? null } }),
      add_labels: () => ({ kind: 'change', change: { addLabels: labelsIn(labels) } }),
      remove_labels: () => ({ kind: 'change', change: { removeLabels: labelsIn(labels) } }),
    };
    return actions[action]();
  }
}
