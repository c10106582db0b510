import type { VNode } from 'preact';
import { type ChangedPart, changedPart, type FieldChange } from '../../modules/findings';
import { labelOf } from '../frame/words';
import { longDay } from './due-date';

const FIELDS: Readonly<Record<string, string>> = {
  md: 'Description',
  remediation: 'How to fix it',
  cvss_vector: 'CVSS vector',
  cwe: 'CWE',
  cve: 'CVE',
  evidence: 'Pasted evidence',
  assignee_id: 'Assignee',
  attachments: 'File',
  allow_unsafe: 'May change state',
};

const nameOfField = (field: string): string => FIELDS[field] ?? labelOf(field);

interface FieldChangesProps {
  readonly changes: readonly FieldChange[];
  /** The names of users, by id. */
  readonly people: ReadonlyMap<number, string>;
}

/** What an entry of the history changed, old and new. */
export const FieldChanges = ({ changes, people }: FieldChangesProps): VNode => (
  <ul class="plain changes">
    {changes.map((change) => {
      const { before, from, to, after } = shownPart(change, people);
      return (
        <li key={change.field}>
          {nameOfField(change.field)}:{' '}
          <span class="diff" dir="auto">
            {before}
            {from !== '' && <del>{from}</del>}
            {before + after === '' && from !== '' && to !== '' && ' '}
            {to !== '' && <ins>{to}</ins>}
            {after}
          </span>
        </li>
      );
    })}
  </ul>
);

const whole = (from: string, to: string): ChangedPart => ({ before: '', from, to, after: '' });

function shownPart({ field, from, to }: FieldChange, people: FieldChangesProps['people']): ChangedPart {
  const [old, now] = [from ?? '', to ?? ''];
  if (field === 'assignee_id') return whole(old && nameOfUser(old, people), now && nameOfUser(now, people));
  if (field === 'due_date') return whole(old && longDay(old), now && longDay(now));
  if (field !== 'labels') return changedPart(old, now);
  const [removed, added] = [old.split(', '), now.split(', ')];
  const without = (labels: readonly string[], others: readonly string[]): string =>
    labels.filter((label) => !others.includes(label)).join(', ');
  return whole(without(removed, added), without(added, removed));
}

const nameOfUser = (id: string, people: FieldChangesProps['people']): string =>
  people.get(Number(id)) ?? `A former user (${id})`;

const NAMED: ReadonlySet<string> = new Set(['title', 'md', 'severity', 'due_date', 'labels', 'references']);

/** What somebody has done, if it was one thing. */
export function changesText(changes: readonly FieldChange[]): string {
  const [first, ...others] = changes;
  if (first === undefined || others.length > 0) return 'edited it';
  if (first.field === 'attachments') return first.to === null ? 'deleted a file' : 'attached a file';
  if (first.field === 'assignee_id') return first.to === null ? 'removed the assignee' : 'assigned it';
  return NAMED.has(first.field) ? `changed the ${nameOfField(first.field).toLowerCase()}` : 'edited it';
}
