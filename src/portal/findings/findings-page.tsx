import type { VNode } from 'preact';
import { FINDING_STATUS, type FindingStatus, isOpen } from '../../modules/findings';
import { statusLabel } from '../frame/badges';
import { Menu } from '../frame/menu';
import { Pager } from '../frame/pager';
import { countText, totalText } from '../frame/words';
import {
  domainsUrl,
  findingsExportUrl,
  type FindingsParameters,
  findingsUrl,
  importsUrl,
  newFindingUrl,
  scansUrl,
} from '../urls';
import { FindingFilters } from './finding-filters';
import { ColumnsMenu } from './findings-columns';
import { EXPORT_FORMATS } from './findings-export';
import type { FindingsPageProps } from './findings-page-props';
import { FindingsTable } from './findings-table';
import { ViewsMenu } from './saved-views-page';

export function FindingsPage(props: FindingsPageProps): VNode {
  const { slice, counts, page, url } = props;
  if ([...counts.values()].every((count) => count === 0)) return <NoFindings {...props} />;
  return (
    <div id="findings">
      <StatusTabs {...props} />
      <FindingFilters {...props} />
      <div class="list-head">
        <p class="muted total">{slice.total !== undefined && totalText(slice.total, 'finding')}</p>
        <ColumnsMenu {...props} />
        <ExportMenu {...props} />
        <ViewsMenu {...props} query={props.query.text} />
      </div>
      {slice.items.length === 0 ? <NoMatch {...props} /> : <FindingsTable {...props} />}
      <Pager page={page} slice={slice} url={url} />
    </div>
  );
}

/** Beside the title. */
export const FindingsActions = ({ organizationId }: Pick<FindingsPageProps, 'organizationId'>): VNode => (
  <div>
    <a class="button" href={newFindingUrl(organizationId)}>
      New finding
    </a>
    <a class="button primary" href={scansUrl(organizationId)}>
      Scan a URL
    </a>
  </div>
);

const ExportMenu = ({ organizationId, query: { parameters } }: FindingsPageProps): VNode => (
  <Menu label="Export">
    <p class="muted">All findings of this list, with these filters.</p>
    <ul class="plain">
      {EXPORT_FORMATS.map((format) => (
        <li key={format}>
          <a href={findingsExportUrl(organizationId, parameters, format)}>{format.toUpperCase()}</a>
        </li>
      ))}
    </ul>
  </Menu>
);

const NoFindings = ({ organizationId, mayChange }: FindingsPageProps): VNode => (
  <section class="empty">
    <h2>No findings yet</h2>
    <p>
      Findings appear here when a scan, a pipeline, an import or a pentest records them.{' '}
      <a href={domainsUrl(organizationId)}>Verify a domain</a>, and then{' '}
      <a href={scansUrl(organizationId)}>scan a URL</a> of it, or{' '}
      <a href={importsUrl(organizationId)}>import the file of a scanner</a>.
    </p>
    {mayChange && <a href={newFindingUrl(organizationId)}>Record a finding by hand</a>}
  </section>
);

const NoMatch = ({ organizationId }: FindingsPageProps): VNode => (
  <section class="empty">
    <h2>No finding matches</h2>
    <p>
      No finding has this status and matches these filters.{' '}
      <a href={findingsUrl(organizationId, { open: false })}>Show all findings</a>
    </p>
  </section>
);

/** Always shown, in this order; the others only where they have findings. Findings with the first status are among the open. */
const MAIN_STATUSES: ReadonlySet<FindingStatus> = new Set([
  FINDING_STATUS.in_progress,
  FINDING_STATUS.ready_for_retest,
  FINDING_STATUS.risk_accepted,
  FINDING_STATUS.resolved,
]);

function StatusTabs({ organizationId, query, counts }: FindingsPageProps): VNode {
  const isShown = (status: FindingStatus): boolean =>
    MAIN_STATUSES.has(status) || query.status === status || (counts.get(status) ?? 0) > 0;
  const { open, status: _status, ...others } = query.parameters;
  // With filters, a tab would need a count of its own for each status.
  const tab = (label: string, isCurrent: boolean, selected: FindingsParameters, count?: number): VNode => (
    <a
      key={label}
      href={findingsUrl(organizationId, { ...others, ...selected })}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {label} {count !== undefined && !query.isFiltered && <span class="muted">{countText(count)}</span>}
    </a>
  );
  const statuses = Object.values(FINDING_STATUS).filter((status) => status !== FINDING_STATUS.open && isShown(status));
  const allOpen = [...counts].reduce((sum, [status, count]) => sum + (isOpen(status) ? count : 0), 0);
  return (
    <nav class="tabs" aria-label="Status">
      {tab('Open', open === true, { open: true }, allOpen)}
      {statuses.map((status) => tab(statusLabel(status), query.status === status, { status }, counts.get(status) ?? 0))}
      {tab('All', open !== true && query.status === undefined, { open: false })}
    </nav>
  );
}
