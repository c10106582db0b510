import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { FINDING_EVENTS, MAX_LABEL_LENGTH, VERIFICATION_RESULTS } from '../../modules/findings';
import { Menu } from '../frame/menu';
import { labelOf } from '../frame/words';
import { FINDINGS_PARAMETERS, findingsUrl } from '../urls';
import { CHANGE_NAMES, Chips, RETEST_NAMES } from './chips';
import type { FindingsPageProps } from './findings-page-props';

type Options = readonly (readonly [value: string | number | boolean, label: string])[];

const namesOf = (names: Readonly<Record<string, string>>): Options => Object.entries(names);

/** The form shows these. All others stay in hidden fields. */
const SHOWN = ['severity', 'assignee', 'overdue', 'due_in', 'change', 'retest', 'verification', 'label', 'asset_label'];
const SORTS = { priority: 'Most urgent', severity: 'Severity', due_date: 'Due date' };

/** Each change acts at once, in the URL too. Without scripts, the button sends the form. */
export function FindingFilters(props: FindingsPageProps): VNode {
  const { organizationId, query, assignable, isFiltering } = props;
  const { parameters: given } = query;
  const select = (name: keyof typeof given, label: string, any: string, options: Options): VNode => (
    <label key={name}>
      {label}
      <select name={name}>
        <option value="">{any}</option>
        {options.map(([value, text]) => (
          <option key={value} value={String(value)} selected={String(given[name]) === String(value)}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  const hidden = FINDINGS_PARAMETERS.filter(
    (name) => given[name] !== undefined && ![...SHOWN, 'q', 'sort'].includes(name),
  );
  const severities = SEVERITIES.slice(1).toReversed();
  const url = findingsUrl(organizationId);
  return (
    <form
      class="filters"
      action={url}
      role="search"
      aria-label="Filters"
      hx-get={url}
      hx-trigger="change"
      hx-target="#findings"
      hx-select="#findings"
      hx-swap="outerMorph"
      hx-push-url="true"
    >
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
        {select(
          'severity',
          'Severity',
          'Any',
          severities.map((one) => [one, `${labelOf(one)} and above`]),
        )}
        {select('assignee', 'Assigned to', 'Anyone', [['me', 'Me'], ['none', 'No one'], ...assignable])}
        {select('overdue', 'Overdue', 'Any', [[true, 'Overdue']])}
        {select('due_in', 'Due', 'Any time', [
          [1, 'Today or tomorrow'],
          [7, 'Within 7 days'],
          [30, 'Within 30 days'],
        ])}
        {select(
          'change',
          'In the last 7 days',
          'Any',
          FINDING_EVENTS.map((one) => [one, CHANGE_NAMES[one]]),
        )}
        {select('retest', 'Retest', 'Any', namesOf(RETEST_NAMES))}
        {select(
          'verification',
          'Test of the finding',
          'Any result',
          VERIFICATION_RESULTS.map((one) => [one, labelOf(one)]),
        )}
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
        <input type="search" name="q" value={given.q} maxLength={200} placeholder="Title or asset" />
      </label>
      <label class="sort">
        <span class="visually-hidden">Sort by</span>
        <select name="sort">
          <option value="">Newest</option>
          {namesOf(SORTS).map(([value, text]) => (
            <option key={value} value={String(value)} selected={given.sort === value}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <noscript>
        <button>Filter</button>
      </noscript>
    </form>
  );
}
