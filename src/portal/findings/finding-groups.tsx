import type { ComponentChildren, VNode } from 'preact';
import { MAX_COUNT } from '../../kernel/page';
import type { FindingGroup } from '../../modules/findings';
import { BeliefBadge } from '../frame/badges';
import type { Column } from '../frame/table';
import { formatted, pluralize } from '../frame/words';
import { findingsUrl, openedUrl } from '../urls';
import { GROUP_PREFIX } from './bulk.requests';
import { severityColumn } from './finding-columns';
import type { ColumnName } from './findings-columns.requests';
import type { FindingOfList, FindingsPageProps, OpenedGroup } from './findings-page-props';

export type NamedColumn = Column<FindingOfList> & { readonly name: ColumnName | 'title' };

/** How many findings of a group are shown at once. */
export const IN_GROUP = 20;

/** The value of the checkbox of a group. */
export const groupValue = (key: number | null): string => `${GROUP_PREFIX}${key ?? 0}`;

/** The same columns. The row of a group shows what its findings have together, and the row of the opened one leads through them. */
export const withGroups = (props: FindingsPageProps, columns: readonly NamedColumn[]): Column<FindingOfList>[] =>
  columns.map(({ name, ...column }) => ({
    ...column,
    cell: (row) => (row.group === undefined ? column.cell(row) : cellOf(props, name, row, row.group)),
  }));

function cellOf(props: FindingsPageProps, name: NamedColumn['name'], row: FindingOfList, group: FindingGroup) {
  if (name === 'title') return <GroupTitle {...props} group={group} title={row.title} />;
  if (name === 'severity') return severityColumn.cell({ ...row, severity: group.severity });
  if (name === 'priority') return <span class="priority">P{group.priority}</span>;
  if (name === 'belief') return <Beliefs {...props} group={group} />;
  if (name === 'asset' && group.assets > 0) return <span class="muted">{pluralize(group.assets, 'asset')}</span>;
  return null;
}

/** What is neither proved nor refuted has a check or not. The row tells which if the whole list has only one of both. */
function Beliefs({ query, beliefs, group }: GroupProps): VNode {
  const { findings, proved, refuted } = group;
  const [claimed = 1, untestable = 1] = [beliefs.get('claimed'), beliefs.get('untestable')];
  const other = query.parameters.belief ?? (untestable === 0 ? 'claimed' : claimed === 0 ? 'untestable' : 'not_proved');
  const counts = [
    ['proved', proved],
    [other, findings - proved - refuted],
    ['refuted', refuted],
  ] as const;
  return (
    <>
      {counts.map(
        ([belief, count]) =>
          count > 0 && (
            <span key={belief} class="of-belief">
              <BeliefBadge belief={belief} /> {formatted(count)}
            </span>
          ),
      )}
    </>
  );
}

interface GroupProps extends FindingsPageProps {
  readonly group: FindingGroup;
}

/** Opens the group in its place, or closes it. */
function GroupTitle({ title, ...props }: GroupProps & { readonly title: string }): VNode {
  const { opened, group } = props;
  const isOpened = opened !== undefined && opened.key === group.key;
  return (
    <>
      <GroupLink {...props} part={isOpened ? undefined : 1} id={idOf(group)} isOpened={isOpened}>
        {title}
      </GroupLink>
      <span class="second">{pluralize(group.findings, 'finding')}</span>
      {isOpened && <Parts {...props} {...opened} />}
    </>
  );
}

const idOf = ({ key }: FindingGroup): string => groupValue(key);

/** Where the shown findings are in their group, and its other pages. */
function Parts({ part, shown, isLast, ...props }: GroupProps & OpenedGroup): VNode | null {
  const { group } = props;
  if (isLast && part === 1) return null;
  const before = (part - 1) * IN_GROUP;
  return (
    <span class="second muted">
      {formatted(before + 1)}–{formatted(before + shown)} of {formatted(group.findings)}{' '}
      {part > 1 && (
        <GroupLink {...props} part={part - 1}>
          Previous findings
        </GroupLink>
      )}{' '}
      {!isLast && (
        <GroupLink {...props} part={part + 1}>
          Next findings
        </GroupLink>
      )}
    </span>
  );
}

interface GroupLinkProps extends Pick<GroupProps, 'url' | 'group'> {
  /** Of the findings of the group; undefined to close it. */
  readonly part: number | undefined;
  readonly id?: string;
  readonly isOpened?: boolean;
  readonly children: ComponentChildren;
}

/** Without scripts, it loads the page of the list again, at this group. */
function GroupLink({ url, group, part, id, isOpened, children }: GroupLinkProps): VNode {
  const list = openedUrl(url, part === undefined ? undefined : { key: group.key ?? 0, part });
  const inPlace = {
    'hx-get': list,
    'hx-target': '#list',
    'hx-select': '#list',
    'hx-swap': 'outerMorph',
    'hx-push-url': 'true',
  };
  return (
    <a id={id} href={`${list}#${idOf(group)}`} aria-expanded={isOpened} {...inPlace}>
      {children}
    </a>
  );
}

/** Whether equal findings are one row, and the link to the other list. */
export function Grouping({ organizationId, query, isGrouped, rows }: FindingsPageProps): VNode | null {
  const { parameters } = query;
  if (isGrouped && !rows.some(({ group }) => group)) return null;
  if (isGrouped) return <a href={findingsUrl(organizationId, { ...parameters, grouped: false })}>Show each finding</a>;
  if (parameters.grouped === false)
    return <a href={findingsUrl(organizationId, { ...parameters, grouped: undefined })}>Group equal findings</a>;
  return query.isGrouped ? (
    <>
      Each is a row, because more than {formatted(MAX_COUNT)} match or are searched. Narrow the filters to group equal
      ones.
    </>
  ) : null;
}
