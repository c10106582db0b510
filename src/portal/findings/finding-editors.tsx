import type { ComponentChildren, VNode } from 'preact';
import { addDays, dayOf } from '../../kernel/day';
import { Field, Form, useRefusal } from '../frame/form';
import { Icon } from '../frame/icon';
import { LabelsField } from '../frame/labels';
import { Entries, Menu } from '../frame/menu';
import { Person } from '../frame/person';
import { useView } from '../frame/view';
import { findingUrl } from '../urls';
import { DueDate } from './due-date';
import type { FindingView } from './finding-reader';
import { versionOf } from './finding-versions';

interface ViewProps {
  readonly view: FindingView;
}

export const Assignee = ({ view: { finding, people } }: ViewProps): VNode =>
  finding.assigneeId === null ? (
    <span class="muted">No one</span>
  ) : (
    <Person id={finding.assigneeId} name={people.get(finding.assigneeId)} />
  );

interface ValueProps {
  readonly value: Parameters<typeof versionOf>[0];
  readonly action: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Does not overwrite a change of the value that its user has not seen. */
const ValueForm = ({ value, children, ...form }: ValueProps): VNode => (
  <Form {...form}>
    <input type="hidden" name="version" value={versionOf(value)} />
    {children}
  </Form>
);

interface ChoicesProps extends Omit<ValueProps, 'children'> {
  readonly name: string;
  readonly options: readonly (readonly [string, ComponentChildren])[];
}

/** Values other than the present one. A click saves one of them. */
const Choices = ({ name, options, ...form }: ChoicesProps): VNode => (
  <ValueForm {...form}>
    <Entries>
      {options
        .filter(([value]) => value !== String(form.value ?? ''))
        .map(([value, label]) => (
          <li key={value}>
            <button name={name} value={value}>
              {label}
            </button>
          </li>
        ))}
    </Entries>
  </ValueForm>
);

export function AssigneeMenu({ view }: ViewProps): VNode {
  const { organizationId, finding, assignable } = view;
  const me = useView().caller?.facts.userId;
  const form = { action: `${findingUrl(organizationId, finding.id)}/assignee`, value: finding.assigneeId };
  const isOpen = useRefusal(form.action) !== undefined;
  const people = [...assignable].map(
    ([id, name]) => [String(id), <Person key={id} id={id} name={name} isNamed />] as const,
  );
  return (
    <>
      <Menu class="quiet" label={<Assignee view={view} />} name="Assignee" isOpen={isOpen}>
        <Choices {...form} name="assignee_id" options={[['', 'No one'], ...people]} />
      </Menu>
      {me !== undefined && me !== finding.assigneeId && assignable.has(me) && (
        <ValueForm {...form}>
          <button class="link" name="assignee_id" value={me}>
            Assign to me
          </button>
        </ValueForm>
      )}
    </>
  );
}

export function DueMenu({ view: { organizationId, finding } }: ViewProps): VNode {
  const { dueDate } = finding;
  const form = { action: `${findingUrl(organizationId, finding.id)}/due-date`, value: dueDate };
  const isOpen = useRefusal(form.action) !== undefined;
  const inDays = (days: number, label: string) => [addDays(dayOf(new Date()), days), label] as const;
  const days = [inDays(1, 'Tomorrow'), ...[7, 30, 90].map((days) => inDays(days, `In ${days} days`))];
  return (
    <Menu class="quiet" label={<DueDate finding={finding} />} name="Due date" isOpen={isOpen}>
      <Choices {...form} name="due_date" options={[...days, ['', 'No due date']]} />
      <ValueForm {...form} class="in-menu">
        <Field
          name="due_date"
          label="Another day"
          input={{ type: 'date', value: dueDate ?? '', min: '2000-01-01', max: '9999-12-31', required: false }}
        />
        <button>Save</button>
      </ValueForm>
    </Menu>
  );
}

export function LabelsMenu({ view: { organizationId, finding } }: ViewProps): VNode {
  const { labels } = finding;
  const form = { action: `${findingUrl(organizationId, finding.id)}/labels`, value: labels };
  const isOpen = useRefusal(form.action) !== undefined;
  const shown =
    labels.length === 0
      ? { label: <span class="muted">Add a label</span> }
      : { label: <Icon name="plus" />, name: 'Change the labels' };
  return (
    <Menu class="quiet more" {...shown} isOpen={isOpen}>
      <ValueForm {...form} class="in-menu">
        <LabelsField labels={labels} />
        <button>Save</button>
      </ValueForm>
    </Menu>
  );
}
