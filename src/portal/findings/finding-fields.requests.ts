import { CommentRequest, labelsIn } from '../../modules/findings';
import { Day, Id, OneOf, Text } from '../../platform/http/fields';

class FieldForm {
  /** Of the field when the page was made. */
  @Text(1, 64, { optional: true })
  version?: string;
}

export class AssigneeForm extends FieldForm {
  /** Absent for no assignee. */
  @Id({ optional: true })
  assignee_id?: number;
}

export class DueDateForm extends FieldForm {
  /** Absent for no due date. */
  @Day({ optional: true })
  due_date?: string;

  /** Sent to undo a change of a day that the rules of the organization had set. */
  @OneOf(['true', 'false'], { optional: true })
  by_hand?: 'true' | 'false';

  get isByHand(): boolean | undefined {
    return this.by_hand === undefined ? undefined : this.by_hand === 'true';
  }
}

export class LabelsForm extends FieldForm {
  @Text(0, 1_000, { optional: true })
  labels?: string;

  get list(): string[] {
    return labelsIn(this.labels ?? '');
  }
}

/** Whether the check may change state on the target. */
export class UnsafeForm {
  @OneOf(['true', 'false'])
  allow!: 'true' | 'false';

  /** Of the check when the page was made. */
  @Text(1, 64)
  version!: string;

  get isAllowed(): boolean {
    return this.allow === 'true';
  }
}

export class CommentForm extends CommentRequest {}

export class MergeForm {
  /** The finding that it becomes a part of. */
  @Id()
  into!: number;
}

export class SeparateForm {
  @Id()
  finding!: number;
}
