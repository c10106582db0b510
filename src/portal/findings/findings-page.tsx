import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { FINDING_STATUS, type FindingStatus, MAX_LABEL_LENGTH, VERIFICATION_RESULTS } from '../../modules/findings';
import { statusLabel } from '../frame/badges';
import { countText, labelOf, totalText } from '../frame/words';
import { Pager } from '../frame/pager';
import { domainsUrl, findingsUrl, importsUrl, queryStringOf, scansUrl } from '../urls';
import { Chips } from './chips';
import type { FindingsPageProps } from './findings-page-props';
import { FindingsTable } from './findings-table';
import { ViewsMenu } from './saved-views-page';

export function FindingsPage(props: FindingsPageProps): VNode {
  const { slice, counts, page, url } = props;
  if ([...counts.values()].every((count) => count === 0)) return <NoFindings organizationId={props.organizationId} />;
  return (
    <>
      <a class="button primary scan" href={scansUrl(props.organizationId)}>
        Scan a URL
      </a>
      <StatusTabs {...props} />
      <Filters {...props} />
      <div class="list-head">
        <p class="muted total">{slice.total !== undefined && totalText(slice.total, 'finding')}</p>
        <ViewsMenu {...props} query={queryStringOf(props.query.parameters)} />
      </div>
      {slice.items.length === 0 ? <NoMatch {...props} /> : <FindingsTable {...props} />}
      <Pager page={page} slice={slice} url={url} />
    </>
  );
}

const NoFindings = ({ organizationId }: Pick<FindingsPageProps, 'organizationId'>): VNode => (
  <section class="empty">
    <h2>No findings yet</h2>
    <p>
      Findings appear here when a scan, a pipeline, an import or a pentest records them.{' '}
      <a href={domainsUrl(organizationId)}>Verify a domain</a>, and then{' '}
      <a href={scansUrl(organizationId)}>scan a URL</a> of it, or{' '}
      <a href={importsUrl(organizationId)}>import the file of a scanner</a>.
    </p>
  </section>
);

const NoMatch = ({ organizationId }: FindingsPageProps): VNode => (
  <section class="empty">
    <h2>No finding matches</h2>
    <p>
      No finding has this status and matches these filters. <a href={findingsUrl(organizationId)}>Show all findings</a>
    </p>
  </section>
);

/** Always shown, in this order; the others only where they have findings. */
const MAIN_STATUSES: ReadonlySet<FindingStatus> = new Set([
  FINDING_STATUS.open,
  FINDING_STATUS.in_progress,
  FINDING_STATUS.ready_for_retest,
  FINDING_STATUS.risk_accepted,
  FINDING_STATUS.resolved,
]);

function StatusTabs({ organizationId, query, counts }: FindingsPageProps): VNode {
  const shown = Object.values(FINDING_STATUS).filter(
    (status) => MAIN_STATUSES.has(status) || query.status === status || (counts.get(status) ?? 0) > 0,
  );
  // With filters, a tab would need a count of its own for each status.
  const tab = (status: FindingStatus | undefined, label: string, count?: number): VNode => (
    <a
      key={label}
      href={findingsUrl(organizationId, { ...query.parameters, status })}
      aria-current={query.status === status ? 'page' : undefined}
    >
      {label} {count !== undefined && !query.isFiltered && <span class="muted">{countText(count)}</span>}
    </a>
  );
  return (
    <nav class="tabs" aria-label="Status">
      {tab(undefined, 'All')}
      {shown.map((status) => tab(status, statusLabel(status), counts.get(status) ?? 0))}
    </nav>
  );
}

const SORTS = [
  { value: '', label: 'Newest' },
  { value: 'severity', label: 'Severity' },
  { value: 'priority', label: 'Priority' },
  { value: 'due_date', label: 'Due date' },
] as const;

function Filters(props: FindingsPageProps): VNode {
  const { organizationId, query, assignable } = props;
  const isMore = [query.assignee, query.label, query.overdue, query.verification].some((value) => value !== undefined);
  return (
    <form class="filters" action={findingsUrl(organizationId)} role="search">
      {query.status !== undefined && <input type="hidden" name="status" value={query.status} />}
      {query.asset_id !== undefined && <input type="hidden" name="asset_id" value={query.asset_id} />}
      {query.import !== undefined && <input type="hidden" name="import" value={query.import} />}
      {query.check !== undefined && <input type="hidden" name="check" value={query.check} />}
      <label>
        Severity
        <select name="severity">
          <option value="">Any</option>
          {SEVERITIES.slice(1)
            .toReversed()
            .map((severity) => (
              <option key={severity} value={severity} selected={query.severity === severity}>
                {labelOf(severity)} and above
              </option>
            ))}
        </select>
      </label>
      <label>
        Sort by
        <select name="sort">
          {SORTS.map(({ value, label }) => (
            <option key={value} value={value} selected={(query.sort ?? '') === value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label class="grow">
        Search
        <input type="search" name="q" value={query.q} maxLength={200} placeholder="Words, CVE, label or #id" />
      </label>
      {query.due_before !== undefined && <input type="hidden" name="due_before" value={query.due_before} />}
      <button>Apply</button>
      <details class="more-filters" open={isMore}>
        <summary>More filters</summary>
        <div class="filters">
          <label>
            Assigned to
            <select name="assignee">
              <option value="">Anyone</option>
              <option value="me" selected={query.assignee === 'me'}>
                Me
              </option>
              <option value="none" selected={query.assignee === 'none'}>
                No one
              </option>
              {[...assignable].map(([id, name]) => (
                <option key={id} value={id} selected={query.assignee === String(id)}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <label>
            Due
            <select name="overdue">
              <option value="">Any time</option>
              <option value="true" selected={query.overdue === true}>
                Overdue
              </option>
            </select>
          </label>
          <label>
            Test of the finding
            <select name="verification">
              <option value="">Any result</option>
              {VERIFICATION_RESULTS.map((result) => (
                <option key={result} value={result} selected={query.verification === result}>
                  {labelOf(result)}
                </option>
              ))}
            </select>
          </label>
          <label>
            Label
            <input name="label" value={query.label} maxLength={MAX_LABEL_LENGTH} dir="auto" />
          </label>
        </div>
      </details>
      <Chips {...props} />
    </form>
  );
}
