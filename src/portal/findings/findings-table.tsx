import type { VNode } from 'preact';
import type { Finding } from '../../modules/findings';
import { statusLabel, VerdictBadge } from '../frame/badges';
import { Form, useRefusal } from '../frame/form';
import { selectColumn } from '../frame/select-column';
import { type Column, Table } from '../frame/table';
import { Through } from '../frame/through';
import { Time } from '../frame/time';
import { bulkUrl, findingsUrl, findingUrl, queryStringOf } from '../urls';
import { BulkBar } from './bulk-bar';
import { DueDate } from './due-date';
import { severityColumn } from './finding-columns';
import type { FindingsPageProps } from './findings-page-props';

/** With a checkbox before each finding for those who may change them, all in one form. */
export function FindingsTable(props: FindingsPageProps): VNode {
  const { organizationId, query, slice, mayChange } = props;
  // The selection of a refused form.
  const selected = new Set([useRefusal(bulkUrl(organizationId))?.fields['finding']].flat());
  if (!mayChange) return <Table class="findings" rows={slice.items} columns={columnsOf(props)} />;
  const selection = selectColumn<Finding>({
    name: 'finding',
    all: 'Select all findings of this page',
    of: ({ id, title }) => ({
      value: String(id),
      isSelected: selected.has(String(id)),
      label: `Select #${id}: ${title}`,
    }),
  });
  return (
    <Form action={bulkUrl(organizationId)} class="bulk">
      {/* Return in a field would press the first button: this one does nothing. */}
      <button class="visually-hidden" disabled tabIndex={-1} aria-hidden="true" />
      <input type="hidden" name="query" value={queryStringOf(query.parameters)} />
      <Table class="findings" rows={slice.items} columns={[selection, ...columnsOf(props)]} />
      <BulkBar {...props} />
    </Form>
  );
}

const columnsOf = (props: FindingsPageProps): readonly Column<Finding>[] => [
  severityColumn,
  { label: 'Finding', class: 'title wide', dir: 'auto', cell: (finding) => <Title {...props} finding={finding} /> },
  { label: 'Asset', class: 'asset wide', dir: 'auto', cell: (finding) => <Asset {...props} finding={finding} /> },
  { label: 'Status', class: 'status', cell: (finding) => <Status {...props} finding={finding} /> },
  { label: 'Last retest', class: 'nowrap', cell: (finding) => <LastRetest {...props} finding={finding} /> },
  {
    label: 'Due',
    class: 'nowrap',
    cell: (finding) => (
      <>
        <span class="only-narrow muted">Due: </span>
        <DueDate finding={finding} />
      </>
    ),
  },
];

type CellProps = FindingsPageProps & { readonly finding: Finding };

const Title = ({ organizationId, query, finding: { id, title, labels } }: CellProps): VNode => (
  <>
    <a href={findingUrl(organizationId, id)}>{title}</a>
    {labels.length > 0 && (
      <span class="labels">
        {labels.map((label) => (
          <a key={label} class="label" href={findingsUrl(organizationId, { ...query.parameters, label })} dir="auto">
            {label}
          </a>
        ))}
      </span>
    )}
  </>
);

const Asset = ({ organizationId, query, beacons, finding: { assetId, assetValue, beaconId } }: CellProps): VNode => (
  <>
    {assetId === null ? (
      assetValue
    ) : (
      <a href={findingsUrl(organizationId, { ...query.parameters, asset_id: assetId })}>{assetValue}</a>
    )}
    <Through beacon={beacons.get(beaconId ?? 0)} />
  </>
);

const Status = ({ people, finding: { status, assigneeId } }: CellProps): VNode => (
  <>
    {statusLabel(status)}
    {assigneeId !== null && (
      <span class="second muted" dir="auto">
        {people.get(assigneeId) ?? `User ${assigneeId}`}
      </span>
    )}
  </>
);

function LastRetest({ lastRetests, finding: { id } }: CellProps): VNode {
  const retest = lastRetests.get(id);
  if (retest === undefined) return <span class="muted">Not retested</span>;
  return (
    <>
      <VerdictBadge verdict={retest.result ?? retest.status} />
      <span class="second muted">
        <Time at={retest.finished ?? retest.created} to="day" />
      </span>
    </>
  );
}
