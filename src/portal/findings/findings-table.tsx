import type { VNode } from 'preact';
import type { Finding } from '../../modules/findings';
import type { RetestSummary } from '../../modules/retests';
import { statusLabel, VerdictBadge } from '../frame/badges';
import { Form, useRefusal } from '../frame/form';
import { Labels } from '../frame/labels';
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

/** Cells are written by functions: components would copy the properties of the page for each cell. */
function columnsOf(props: FindingsPageProps): readonly Column<Finding>[] {
  const { organizationId, query, lastRetests, people, beacons } = props;
  const { parameters } = query;
  const labelUrl = (label: string): string => findingsUrl(organizationId, { ...parameters, label });
  const assetUrl = (id: number): string => findingsUrl(organizationId, { ...parameters, asset_id: id });
  return [
    severityColumn,
    {
      label: 'Finding',
      class: 'title wide',
      dir: 'auto',
      cell: ({ id, title, labels }) => (
        <>
          <a href={findingUrl(organizationId, id)}>{title}</a>
          <Labels labels={labels} hrefOf={labelUrl} />
        </>
      ),
    },
    {
      label: 'Asset',
      class: 'asset wide',
      dir: 'auto',
      cell: ({ assetId, assetValue, beaconId }) => (
        <>
          {assetId === null ? assetValue : <a href={assetUrl(assetId)}>{assetValue}</a>}
          <Through beacon={beacons.get(beaconId ?? 0)} />
        </>
      ),
    },
    {
      label: 'Status',
      class: 'status',
      cell: ({ status, assigneeId }) => (
        <>
          {statusLabel(status)}
          {assigneeId !== null && (
            <span class="second muted" dir="auto">
              {people.get(assigneeId) ?? `User ${assigneeId}`}
            </span>
          )}
        </>
      ),
    },
    { label: 'Last retest', class: 'nowrap', cell: ({ id }) => lastRetestOf(lastRetests.get(id)) },
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
}

const lastRetestOf = (retest: RetestSummary | undefined): VNode =>
  retest === undefined ? (
    <span class="muted">Not retested</span>
  ) : (
    <>
      <VerdictBadge verdict={retest.result ?? retest.status} />
      <span class="second muted">
        <Time at={retest.finished ?? retest.created} to="day" />
      </span>
    </>
  );
