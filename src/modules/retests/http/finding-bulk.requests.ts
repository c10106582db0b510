import { invalid } from '../../../kernel/domain-error';
import { Comment, Day, Flag, Id, Instant, Nested, OneOf } from '../../../platform/http/fields';
import {
  FINDING_STATUS,
  FINDING_STATUS_LABELS,
  FindingIds,
  type FindingStatus,
  JUSTIFICATION_RULE,
  Labels,
  VEX_JUSTIFICATIONS,
  type VexJustification,
} from '../../findings';
import type { BulkAction } from '../finding-bulk.service';

const MAX_FINDINGS = 500;

export class BulkActionRequest {
  @OneOf(Object.values(FINDING_STATUS), {
    labels: FINDING_STATUS_LABELS,
    optional: true,
    description: 'Sets the status, with `comment` and `until` as when it is set for one finding.',
  })
  status?: FindingStatus;

  @Comment(2_000, {
    optional: true,
    description: 'The reason of the status, or without one a comment on each finding.',
  })
  comment?: string;

  @Instant({ optional: true, description: 'Only with status 6: the last day of the acceptance.' }, 'upper')
  until?: Date;

  @OneOf(VEX_JUSTIFICATIONS, { optional: true, description: JUSTIFICATION_RULE })
  justification?: VexJustification;

  @Id({ nullable: true, description: 'A member of the organization, or null for no assignee.' })
  assignee_id?: number | null;

  @Day({ nullable: true, description: 'The last day to fix it, or null for none.' })
  due_date?: string | null;

  @Labels({ optional: true, description: 'Labels to add.' })
  add_labels?: string[];

  @Labels({ optional: true, description: 'Labels to remove.' })
  remove_labels?: string[];

  @Flag({ optional: true, description: 'With `true`, starts a retest.' })
  retest?: boolean;

  /** Each is an operation of its own, with an audit entry of its own. */
  get action(): BulkAction {
    const { status, comment, until, justification, assignee_id: assigneeId, due_date: dueDate } = this;
    const { add_labels: addLabels, remove_labels: removeLabels, retest = false } = this;
    const fields = { assigneeId, dueDate, addLabels, removeLabels };
    const actions: BulkAction[] = [
      ...(status === undefined ? [] : [{ kind: 'status' as const, change: { status, comment, until, justification } }]),
      ...(Object.values(fields).every((value) => value === undefined)
        ? []
        : [{ kind: 'change' as const, change: fields }]),
      ...(comment === undefined || status !== undefined ? [] : [{ kind: 'comment' as const, comment }]),
      ...(retest ? [{ kind: 'retest' as const }] : []),
    ];
    const [action] = actions;
    if (action !== undefined && actions.length === 1) return action;
    throw invalid(
      'action must have exactly one of: status (with comment and until), retest, comment, or any of assignee_id, due_date, add_labels and remove_labels.',
    );
  }
}

export class BulkRequest {
  @FindingIds(MAX_FINDINGS)
  finding_ids!: number[];

  @Nested(BulkActionRequest, 'with what is done')
  action!: BulkActionRequest;
}
