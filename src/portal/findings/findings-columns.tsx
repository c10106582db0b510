import type { VNode } from 'preact';
import { beliefOf, type ListedFinding, priorityFactsOf, reasonsOfPriority } from '../../modules/findings';
import { BeliefBadge, statusLabel } from '../frame/badges';
import { Checkbox, Form } from '../frame/form';
import { Labels } from '../frame/labels';
import { Menu } from '../frame/menu';
import type { Column } from '../frame/table';
import { Through } from '../frame/through';
import { Time } from '../frame/time';
import { columnsFormUrl, type FindingsParameters, findingsUrl, findingUrl } from '../urls';
import { DueDate } from './due-date';
import { lastRetestColumn, severityColumn } from './finding-columns';
import { type ColumnName, COLUMN_NAMES } from './findings-columns.requests';
import { type NamedColumn, withGroups } from './finding-groups';
import type { FindingOfList, FindingsPageProps } from './findings-page-props';

const LABELS: Readonly<Record<ColumnName, string>> = {
  severity: 'Severity',
  priority: 'Priority',
  belief: 'Belief',
  asset: 'Asset',
  status: 'Status',
  last_retest: 'Last retest',
  due: 'Due',
  found: 'Found',
};

const SORTS = { severity: 'severity', priority: 'priority', due: 'due_date', found: undefined } as const;
const isSorted = (name: ColumnName): name is keyof typeof SORTS => name in SORTS;

/** The title, and the columns that the user has chosen. Cells are functions: components would copy the properties for each. */
export function columnsOf(props: FindingsPageProps): readonly Column<FindingOfList>[] {
  const { organizationId, query, shownColumns } = props;
  const { parameters } = query;
  const cells = cellsOf(props);
  const columns = COLUMN_NAMES.filter((name) => shownColumns.has(name)).map((name): NamedColumn => {
    const column = { name, label: LABELS[name], class: 'nowrap', ...cells[name] };
    if (!isSorted(name)) return column;
    const sort: FindingsParameters['sort'] = SORTS[name];
    return {
      ...column,
      head: <a href={findingsUrl(organizationId, { open: false, ...parameters, sort })}>{column.label}</a>,
      // The soonest due date and the most urgent priority, 1, come first.
      sorted: parameters.sort !== sort ? undefined : name === 'due' || name === 'priority' ? 'ascending' : 'descending',
    };
  });
  const title: NamedColumn = {
    name: 'title',
    label: 'Finding',
    class: 'title wide',
    dir: 'auto',
    cell: ({ id, title: text, labels }) => (
      <>
        <a href={findingUrl(organizationId, id)}>{text}</a>
        <Labels labels={labels} hrefOf={(label) => findingsUrl(organizationId, { ...parameters, label })} />
      </>
    ),
  };
  const before = columns.filter(({ label }) => BEFORE_TITLE.has(label));
  return withGroups(props, [...before, title, ...columns.filter((column) => !before.includes(column))]);
}

const BEFORE_TITLE: ReadonlySet<string> = new Set([LABELS.severity, LABELS.priority, LABELS.belief]);

type Cells = Readonly<Record<ColumnName, Pick<Column<ListedFinding>, 'cell'> & Partial<Column<ListedFinding>>>>;

const cellsOf = ({ organizationId, query, lastRetests, people, beacons }: FindingsPageProps): Cells => ({
  severity: severityColumn,
  priority: {
    cell: (finding) => {
      const reason = reasonOf(finding);
      return (
        <span class="priority" title={reason}>
          P{finding.priority}
          <span class="visually-hidden">. {reason}</span>
        </span>
      );
    },
  },
  belief: { cell: (finding) => <BeliefBadge belief={beliefOf(finding)} /> },
  asset: {
    class: 'asset wide',
    dir: 'auto',
    cell: ({ assetId, assetValue, beaconId }) => (
      <>
        {assetId === null ? (
          breakable(assetValue)
        ) : (
          <a href={findingsUrl(organizationId, { ...query.parameters, asset_id: assetId })}>{breakable(assetValue)}</a>
        )}
        <Through beacon={beacons.get(beaconId ?? 0)} />
      </>
    ),
  },
  status: {
    class: 'status',
    cell: ({ status, assigneeId }) => (
      <>
        <span class="nowrap">{statusLabel(status)}</span>
        {assigneeId !== null && (
          <span class="second muted" dir="auto">
            {people.get(assigneeId) ?? `User ${assigneeId}`}
          </span>
        )}
      </>
    ),
  },
  last_retest: lastRetestColumn(lastRetests),
  due: {
    cell: (finding) => (
      <>
        <span class="only-narrow muted">Due: </span>
        <DueDate finding={finding} />
      </>
    ),
  },
  found: { class: 'nowrap muted', cell: ({ created }) => <Time at={created} to="day" /> },
});

const reasonOf = (finding: ListedFinding): string =>
  reasonsOfPriority(priorityFactsOf(finding))
    .map(({ text }) => text)
    .join(' ');

/** A name is broken between its parts, and neither inside a word nor inside an address. */
const breakable = (value: string): (string | VNode)[] =>
  value
    .split(/(?<=\/)(?=[^/])|(?<=[.@_-])(?=[a-z])/i)
    .flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]));

/** Which columns the list has, and how dense it is. */
export const ColumnsMenu = ({ organizationId, shownColumns, isCompact, query }: FindingsPageProps): VNode => (
  <Menu label="Columns">
    <Form action={columnsFormUrl(organizationId)}>
      <input type="hidden" name="query" value={query.text} />
      {COLUMN_NAMES.map((name) => (
        <label key={name} class="flag">
          <input type="checkbox" name="column" value={name} checked={shownColumns.has(name)} /> {LABELS[name]}
        </label>
      ))}
      <Checkbox name="compact" label="Compact rows" checked={isCompact} />
      <button>Show</button>
    </Form>
  </Menu>
);
