import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import type { Finding } from '../../modules/findings';
import { SeverityBadge, statusLabel, VerdictBadge } from '../frame/badges';
import { Form, useRefusal } from '../frame/form';
import { Through } from '../frame/through';
import { Time } from '../frame/time';
import { bulkUrl, findingsUrl, findingUrl, queryStringOf } from '../urls';
import { BulkBar } from './bulk-bar';
import { DueDate } from './due-date';
import type { FindingsPageProps } from './findings-page-props';

/** With a checkbox before each finding for those who may change them, all in one form. */
export function FindingsTable(props: FindingsPageProps): VNode {
  const { organizationId, query, mayChange } = props;
  if (!mayChange) return <Table {...props} />;
  return (
    <Form action={bulkUrl(organizationId)} class="bulk">
      {/* Return in a field would press the first button: this one does nothing. */}
      <button class="visually-hidden" disabled tabIndex={-1} aria-hidden="true" />
      <input type="hidden" name="query" value={queryStringOf(query.parameters)} />
      <Table {...props} />
      <BulkBar {...props} />
    </Form>
  );
}

const Table = (props: FindingsPageProps): VNode => (
  <table class="findings">
    <thead>
      <tr>
        {props.mayChange && (
          <th scope="col" class="select">
            <span class="visually-hidden">Selected</span>
            <input type="checkbox" id="select-all" aria-label="Select all findings of this page" hidden />
          </th>
        )}
        <th scope="col">Severity</th>
        <th scope="col">Finding</th>
        <th scope="col">Asset</th>
        <th scope="col">Status</th>
        <th scope="col">Last retest</th>
        <th scope="col">Due</th>
      </tr>
    </thead>
    <tbody>
      {props.slice.items.map((finding) => (
        <FindingRow key={finding.id} {...props} finding={finding} />
      ))}
    </tbody>
  </table>
);

function FindingRow(props: FindingsPageProps & { readonly finding: Finding }): VNode {
  const { organizationId, query, finding, people, lastRetests, beacons, mayChange } = props;
  const { id, title, assetId, assetValue, assigneeId, labels, status } = finding;
  const retest = lastRetests.get(id);
  // The selection of a refused form.
  const selected = [useRefusal(bulkUrl(organizationId))?.fields['finding']].flat();
  return (
    <tr>
      {mayChange && (
        <td class="select">
          <input
            type="checkbox"
            name="finding"
            value={id}
            checked={selected.includes(String(id))}
            aria-label={`Select #${id}: ${title}`}
          />
        </td>
      )}
      <td class="nowrap">
        <SeverityBadge severity={SEVERITIES[finding.severity]} />
      </td>
      <td class="title wide" dir="auto">
        <a href={findingUrl(organizationId, id)}>{title}</a>
        {labels.length > 0 && (
          <span class="labels">
            {labels.map((label) => (
              <a
                key={label}
                class="label"
                href={findingsUrl(organizationId, { ...query.parameters, label })}
                dir="auto"
              >
                {label}
              </a>
            ))}
          </span>
        )}
      </td>
      <td class="asset wide" dir="auto">
        {assetId === null ? (
          assetValue
        ) : (
          <a href={findingsUrl(organizationId, { ...query.parameters, asset_id: assetId })}>{assetValue}</a>
        )}
        <Through beacon={beacons.get(finding.beaconId ?? 0)} />
      </td>
      <td class="status">
        {statusLabel(status)}
        {assigneeId !== null && (
          <span class="second muted" dir="auto">
            {people.get(assigneeId) ?? `User ${assigneeId}`}
          </span>
        )}
      </td>
      <td class="nowrap">
        {retest === undefined ? (
          <span class="muted">Not retested</span>
        ) : (
          <>
            <VerdictBadge verdict={retest.result ?? retest.status} />
            <span class="second muted">
              <Time at={retest.finished ?? retest.created} to="day" />
            </span>
          </>
        )}
      </td>
      <td class="nowrap">
        <span class="only-narrow muted">Due: </span>
        <DueDate finding={finding} />
      </td>
    </tr>
  );
}
