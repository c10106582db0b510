import { dayOf } from '../../kernel/day';
import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import type { AuditLog, SignedHead } from '../../modules/audit';
import { RESOURCE_CATEGORIES } from '../../platform/api/resource-type';
import { isUser } from '../../platform/api/caller';
import { actorName } from '../frame/actor-name';
import { FilterForm } from '../frame/filter-form';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { labelOf, totalText } from '../frame/words';
import { Table } from '../frame/table';
import { auditUrl, recordUrl } from '../urls';
import { EXPORT_FORMATS } from './audit-export';
import type { AuditQuery } from './audit.requests';

interface AuditPageProps {
  readonly organizationId: number;
  readonly query: AuditQuery;
  readonly page: Page;
  readonly slice: Slice<AuditLog>;
  /** Of the users in the entries, by id. */
  readonly names: ReadonlyMap<number, string>;
  /** Whom the filter offers. */
  readonly members: ReadonlyMap<number, string>;
  readonly url: string;
  /** The newest one, if heads are signed. */
  readonly head: SignedHead['head'] | undefined;
}

export const userIdsOf = (entries: readonly AuditLog[]): number[] =>
  entries.filter(({ actorType }) => isUser(actorType)).map(({ actorId }) => Number(actorId));

export function AuditPage(props: AuditPageProps): VNode {
  const { slice, page, url } = props;
  return (
    <div id="list">
      <Filters {...props} />
      <Exports {...props} />
      {props.head && <Head {...props.head} />}
      {slice.items.length === 0 ? <NoMatch {...props} /> : <Entries {...props} />}
      <Pager page={page} slice={slice} url={url} />
    </div>
  );
}

const NoMatch = ({ organizationId }: AuditPageProps): VNode => (
  <section class="empty">
    <h2>No entry matches</h2>
    <p>
      Nothing was done that matches these filters. <a href={auditUrl(organizationId)}>Show all entries</a>
    </p>
  </section>
);

function Filters({ organizationId, query, members, slice }: AuditPageProps): VNode {
  const { actor_id: actor, operation, resource_type: resource, resource_id: id, status } = query;
  return (
    <FilterForm action={auditUrl(organizationId)} target="#list">
      <label>
        Who
        <select name="actor_id">
          <option value="">Anyone</option>
          {[...members].map(([userId, name]) => (
            <option key={userId} value={userId} selected={actor === String(userId)}>
              {name}
            </option>
          ))}
          <option value="system" selected={actor === 'system'}>
            Assay
          </option>
          {actor !== undefined && actor !== 'system' && !members.has(Number(actor)) && (
            <option value={actor} selected>
              {actor}
            </option>
          )}
        </select>
      </label>
      <label>
        Operation
        <input name="operation" value={operation} maxLength={200} placeholder="finding.status_update" />
      </label>
      <label>
        Resource
        <select name="resource_type">
          <option value="">Any</option>
          {Object.keys(RESOURCE_CATEGORIES).map((type) => (
            <option key={type} value={type} selected={resource === type}>
              {labelOf(type)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Id of the resource
        <input name="resource_id" value={id} maxLength={200} />
      </label>
      <label>
        Result
        <select name="status">
          <option value="">Any</option>
          {['success', 'failure'].map((value) => (
            <option key={value} value={value} selected={status === value}>
              {labelOf(value)}
            </option>
          ))}
        </select>
      </label>
      <label>
        From (UTC)
        <input type="date" name="start_date" value={query.start_date && dayOf(query.start_date)} />
      </label>
      <label>
        To (UTC)
        <input type="date" name="end_date" value={query.end_date && dayOf(query.end_date)} />
      </label>
      <p class="muted total">{slice.total !== undefined && totalText(slice, 'entry', 'entries')}</p>
    </FilterForm>
  );
}

/** All entries with these filters, not only those of the page. */
function Exports({ organizationId, url }: AuditPageProps): VNode {
  const filters = new URLSearchParams(url.split('?')[1] ?? '');
  for (const name of ['page', 'per_page', 'after', 'before', 'count', 'format']) filters.delete(name);
  return (
    <p class="exports">
      Download these entries:{' '}
      {EXPORT_FORMATS.map((format) => (
        <a
          key={format}
          href={`${auditUrl(organizationId)}/export?${new URLSearchParams([['format', format], ...filters]).toString()}`}
          download
        >
          {format.toUpperCase()}
        </a>
      ))}
    </p>
  );
}

const Head = ({ organization_id: id, month, size, signed }: SignedHead['head']): VNode => (
  <p class="muted">
    Last signed head: {month}, {size} entries, <Time at={new Date(signed)} to="minute" />.{' '}
    <a href={`${auditUrl(id)}/proofs`} download>
      Download the proofs
    </a>
  </p>
);

/** Under which details have the name of a resource. */
const NAME_FIELDS = ['name', 'title', 'value', 'url'];

/** A retest has no page but that of its finding. */
function Resource({ organizationId, entry }: { organizationId: number; entry: AuditLog }): VNode {
  const { resourceType, resourceId, metadata } = entry;
  const findingId = metadata?.['finding_id'];
  const isOfFinding = resourceType === 'retest' && typeof findingId === 'number';
  const [type, id] = isOfFinding ? ['finding', String(findingId)] : [resourceType, resourceId];
  const name = NAME_FIELDS.map((field) => metadata?.[field]).find((value) => typeof value === 'string') ?? id;
  const href = recordUrl(organizationId, type, id);
  return (
    <>
      {labelOf(resourceType)}
      {isOfFinding && ' of finding'}{' '}
      {href === undefined ? <span class="muted">{name}</span> : <a href={href}>{name}</a>}
    </>
  );
}

const Entries = ({ organizationId, slice, names }: AuditPageProps): VNode => (
  <Table
    class="block-table audit"
    rows={slice.items}
    columns={[
      { label: 'Time', class: 'nowrap', cell: ({ timestamp }) => <Time at={timestamp} to="minute" /> },
      {
        label: 'Who',
        class: 'wide',
        dir: 'auto',
        cell: ({ actorType, actorId }) => actorName(actorType, actorId, names),
      },
      { label: 'Operation', class: 'wide', cell: ({ operation }) => <code>{operation}</code> },
      {
        label: 'Resource',
        class: 'wide',
        dir: 'auto',
        cell: (entry) => <Resource {...{ organizationId, entry }} />,
      },
      {
        label: 'Result',
        class: 'nowrap',
        cell: ({ status }) => (status === 'success' ? 'Success' : <strong>Failure</strong>),
      },
      { label: 'Details', class: 'wide', cell: (entry) => <Details entry={entry} /> },
    ]}
  />
);

const Details = ({ entry: { id, metadata } }: { entry: AuditLog }): VNode => (
  <details>
    <summary>Details</summary>
    <pre tabIndex={0} role="region" aria-label={`Entry ${id}`}>
      {JSON.stringify({ id, ...metadata }, null, 2)}
    </pre>
  </details>
);
