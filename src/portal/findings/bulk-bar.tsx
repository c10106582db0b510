import type { ComponentChildren, VNode } from 'preact';
import { FINDING_STATUS, needsAdmin } from '../../modules/findings';
import { statusLabel } from '../frame/badges';
import { Field, Select, TextArea, useRefusal } from '../frame/form';
import { Menu } from '../frame/menu';
import { bulkUrl } from '../urls';
import type { FindingsPageProps } from './findings-page-props';

const Action = ({ value, children }: { value: string; children: ComponentChildren }): VNode => (
  <button name="action" value={value}>
    {children}
  </button>
);

/** What can be done with the selected findings. */
interface ActionMenuProps extends FindingsPageProps {
  readonly label: string;
  readonly actions: readonly string[];
  readonly children: ComponentChildren;
}

/** Open if one of its actions was refused. */
function ActionMenu({ organizationId, label, actions, children }: ActionMenuProps): VNode {
  const refused = useRefusal(bulkUrl(organizationId))?.fields['action'];
  return (
    <Menu opensUpwards label={label} isOpen={typeof refused === 'string' && actions.includes(refused)}>
      {children}
    </Menu>
  );
}

export function BulkBar({ children, ...props }: FindingsPageProps & { readonly children: ComponentChildren }): VNode {
  const { assignable, mayDecide } = props;
  const statuses = Object.values(FINDING_STATUS).filter(
    (status) => mayDecide || !needsAdmin(FINDING_STATUS.open, status),
  );
  return (
    <div class="bulk-bar" role="group" aria-label="Change the selected findings">
      {children}
      <strong class="selected-count" aria-live="polite">
        Selected findings
      </strong>
      <Action value="retest">Retest</Action>
      <ActionMenu {...props} label="Status" actions={['status']}>
        <Select
          name="status"
          label="Status"
          options={statuses.map((value) => ({ value, label: statusLabel(value) }))}
          value={FINDING_STATUS.in_progress}
        />
        <TextArea name="comment" label="Comment" rows={2} maxLength={2000} />
        {mayDecide && (
          <Field
            name="until"
            label="Last day of the acceptance"
            hint="Only for Risk accepted."
            input={{ type: 'date', required: false }}
          />
        )}
        <Action value="status">Change the status</Action>
      </ActionMenu>
      <ActionMenu {...props} label="Assign" actions={['assign']}>
        <Select
          name="assignee_id"
          label="Assign to"
          options={[{ value: '', label: 'No one' }, ...[...assignable].map(([value, label]) => ({ value, label }))]}
        />
        <Action value="assign">Assign</Action>
      </ActionMenu>
      <ActionMenu {...props} label="Due" actions={['due']}>
        <Field
          name="due_date"
          label="Due date"
          hint="Empty: no due date."
          input={{ type: 'date', min: '2000-01-01', max: '9999-12-31', required: false }}
        />
        <Action value="due">Set the due date</Action>
      </ActionMenu>
      <ActionMenu {...props} label="Labels" actions={['add_labels', 'remove_labels']}>
        <Field
          id="bulk-labels"
          name="labels"
          label="Labels, with commas between them"
          input={{ maxLength: 1000, dir: 'auto', required: false }}
        />
        <p class="actions">
          <Action value="add_labels">Add</Action> <Action value="remove_labels">Remove</Action>
        </p>
      </ActionMenu>
    </div>
  );
}
