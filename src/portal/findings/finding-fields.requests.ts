import { CommentRequest } from '../../modules/findings';
import { Day, Id, Text } from '../../platform/http/fields';
import { labelsIn } from './bulk.requests';

export class AssigneeForm {
  /** Absent for nobody. */
  @Id({ optional: true })
  assignee_id?: number;
}

export class DueDateForm {
  /** Absent for no due date. */
  @Day({ optional: true })
  due_date?: string;
}

export class LabelsForm {
  @Text(0, 1_000, { optional: true })
  labels?: string;

  get list(): string[] {
    return labelsIn(this.labels ?? '');
  }
}

export class CommentForm extends CommentRequest {}
