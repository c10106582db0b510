import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { FINDING_STATUS, MAX_LABEL_LENGTH, VERIFICATION_RESULTS } from '../../modules/findings';
import { statusLabel } from '../frame/badges';
import { FilterForm } from '../frame/filter-form';
import { Menu } from '../frame/menu';
import { ownerFilters } from '../frame/owner-select';
import { labelOf } from '../frame/words';
import { FINDINGS_PARAMETERS, findingsUrl } from '../urls';
import { CHANGE_NAMES, Chips, RETEST_NAMES, TICKET_NAMES } from './chips';
import type { FindingsPageProps } from './findings-page-props';

type Options = readonly (readonly [value: string | number | boolean, label: string])[];

const SORTS: Options = [
  ['priority', 'Most urgent'],
  ['severity', 'Severity'],
  ['due_date', 'Due date'],
];
const DUE: Options = [
  [1, 'Today or tomorrow'],
  [7, 'Within 7 days'],
  [30, 'Within 30 days'],
];
const PEOPLE: Options = [
  ['me', 'Me'],
  ['none', 'No one'],
];
const SEVERITY: Options = SEVERITIES.slice(1)
  .toReversed()
  .map((one) => [one, `${labelOf(one)} and above`]);
const STATUSES: Options = Object.values(FINDING_STATUS).map((one) => [one, statusLabel(one)]);
const TESTS: Options = VERIFICATION_RESULTS.map((one) => [one, labelOf(one)]);

/** The form shows these. All others stay in hidden fields. */
const SHOWN = [
  'status',
  'severity',
  'assignee',
  'overdue',
  'due_in',
  'change',
  'retest',
  'verification',
  'ticket',
  'label',
  'owner',
  'asset_label',
];

/** Each change acts at once, in the URL too. Without scripts, the button sends the form. */
export function FindingFilters(props: FindingsPageProps): VNode {
  const { organizationId, query, assignable, owners, isFiltering } = props;
  const { parameters: given } = query;
  const optionsOf = (name: keyof typeof given, any: string, options: Options): VNode[] =>
    [['', any] as const, ...options].map(([value, text]) => (
      <option key={value} value={String(value)} selected={String(given[name] ?? '') === String(value)}>
        {text}
      </option>
    ));
  const selects: readonly (readonly [name: keyof typeof given, label: string, any: string, options: Options])[] = [
    ['severity', 'Severity', 'Any', SEVERITY],
    ['status', 'Status', 'Any', STATUSES],
    ['assignee', 'Assigned to', 'Anyone', [...PEOPLE, ...assignable]],
    ['owner', 'Owner of the asset', 'Anyone', ownerFilters(owners).map(({ value, label }) => [value, label] as const)],
    ['overdue', 'Overdue', 'Any', [[true, 'Overdue']]],
    ['due_in', 'Due', 'Any time', DUE],
    ['change', 'In the last 7 days', 'Any', Object.entries(CHANGE_NAMES)],
    ['retest', 'Retest', 'Any', Object.entries(RETEST_NAMES)],
    ['verification', 'Test of the finding', 'Any result', TESTS],
    ['ticket', 'Ticket', 'Any', Object.entries(TICKET_NAMES)],
  ];
  const hidden = FINDINGS_PARAMETERS.filter(
    (name) => given[name] !== undefined && ![...SHOWN, 'q', 'sort'].includes(name),
  );
  const url = findingsUrl(organizationId);
  return (
    <FilterForm action={url} target="#findings" label="Filters">
      {hidden.map((name) => {
        const value = given[name];
        return (
          <input
            key={name}
            type="hidden"
            name={name}
            value={value instanceof Date ? value.toISOString() : String(value)}
          />
        );
      })}
      <Chips {...props} />
      <Menu label="+ Filter" isOpen={isFiltering}>
        {selects.map(([name, label, any, options]) => (
          <label key={name}>
            {label}
            <select name={name} id={`filter-${name}`}>
              {optionsOf(name, any, options)}
            </select>
          </label>
        ))}
        <label>
          Label
          <input name="label" value={given.label} maxLength={MAX_LABEL_LENGTH} dir="auto" />
        </label>
        <label>
          Label of the asset
          <input name="asset_label" value={given.asset_label} maxLength={MAX_LABEL_LENGTH} dir="auto" />
        </label>
      </Menu>
      <label class="grow">
        <span class="visually-hidden">Search</span>
        <input type="search" name="q" value={given.q} maxLength={200} placeholder="Words, CVE, label or #id" />
      </label>
      <label class="sort">
        <span class="visually-hidden">Sort by</span>
        <select name="sort" id="filter-sort">
          {optionsOf('sort', 'Newest', SORTS)}
        </select>
      </label>
    </FilterForm>
  );
}
