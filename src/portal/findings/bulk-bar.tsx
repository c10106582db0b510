import type { ComponentChildren, VNode } from 'preact';
import { FINDING_STATUS, needsAdmin } from '../../modules/findings';
import { statusLabel } from '../frame/badges';
import { TypedInput, TypedTextArea } from '../frame/form';
import { Menu } from '../frame/menu';
import type { FindingsPageProps } from './findings-page-props';

const Action = ({ value, children }: { value: string; children: ComponentChildren }): VNode => (
  <button name="action" value={value}>
    {children}
  </button>
);

/** What can be done with the selected findings. */
export function BulkBar({ assignable, mayDecide }: FindingsPageProps): VNode {
  const statuses = Object.values(FINDING_STATUS).filter(
    (status) => mayDecide || !needsAdmin(FINDING_STATUS.open, status),
  );
  return (
    <div class="bulk-bar" role="group" aria-label="Change the selected findings">
      <strong class="selected-count" aria-live="polite">
        Selected findings
      </strong>
      <Action value="retest">Retest</Action>
      <Menu opensUpwards label="Status">
        <label>
          Status
          <select name="status">
            {statuses.map((status) => (
              <option key={status} value={status} selected={status === FINDING_STATUS.in_progress}>
                {statusLabel(status)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Comment
          <TypedTextArea name="comment" rows={2} maxLength={2000} />
        </label>
        <Action value="status">Change the status</Action>
      </Menu>
      <Menu opensUpwards label="Assign">
        <label>
          Assign to
          <select name="assignee_id">
            <option value="">No one</option>
            {[...assignable].map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <Action value="assign">Assign</Action>
      </Menu>
      <Menu opensUpwards label="Due">
        <label>
          Due date
          <TypedInput type="date" name="due_date" min="2000-01-01" max="9999-12-31" />
        </label>
        <p class="hint">Empty: no due date.</p>
        <Action value="due">Set the due date</Action>
      </Menu>
      <Menu opensUpwards label="Labels">
        <label>
          Labels, with commas between them
          <TypedInput name="labels" maxLength={1000} dir="auto" />
        </label>
        <p class="actions">
          <Action value="add_labels">Add</Action> <Action value="remove_labels">Remove</Action>
        </p>
      </Menu>
    </div>
  );
}
