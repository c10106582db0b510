import type { VNode } from 'preact';
import { BELIEFS, isOpen } from '../../modules/findings';
import { BeliefBadge, statusLabel } from '../frame/badges';
import { Form } from '../frame/form';
import { Menu } from '../frame/menu';
import { Pager } from '../frame/pager';
import { countText, totalText } from '../frame/words';
import {
  claimsFormUrl,
  domainsUrl,
  findingsExportUrl,
  type FindingsParameters,
  findingsUrl,
  importsUrl,
  newFindingUrl,
  openedUrl,
  scansUrl,
} from '../urls';
import { FindingFilters } from './finding-filters';
import { ColumnsMenu } from './findings-columns';
import { EXPORT_FORMATS } from './findings-export';
import type { FindingsPageProps } from './findings-page-props';
import { TAB_STATUSES } from './findings.requests';
import { Grouping } from './finding-groups';
import { FindingsTable } from './findings-table';
import { ViewsMenu } from './saved-views-page';

export function FindingsPage(props: FindingsPageProps): VNode {
  const { slice, rows, counts, page, url } = props;
  if ([...counts.values()].every((count) => count === 0)) return <NoFindings {...props} />;
  return (
    <div id="findings">
      <StatusTabs {...props} />
      <BeliefLinks {...props} />
      <FindingFilters {...props} />
      <div id="list" {...(isUnderTest(props) && { 'hx-get': url, ...FOLLOWED })}>
        <div class="list-head">
          <p class="muted total">
            {slice.total !== undefined && totalText(slice, 'finding')} <Grouping {...props} />
          </p>
          <ColumnsMenu {...props} />
          <ExportMenu {...props} />
          <ViewsMenu {...props} query={props.query.text} />
        </div>
        {rows.length === 0 ? <NoMatch {...props} /> : <FindingsTable {...props} />}
        <Pager page={page} slice={slice} url={openedUrl(url)} />
      </div>
    </div>
  );
}

/** Those that the list has, each with its number. That of the list leads back. */
function BeliefLinks({ organizationId, query, beliefs, mayChange }: FindingsPageProps): VNode {
  const { parameters } = query;
  const { belief: current, ...others } = parameters;
  const shown = BELIEFS.filter((one) => one === current || beliefs.size === 0 || (beliefs.get(one) ?? 0) > 0);
  const isOffered = mayChange && (current === undefined || current === 'claimed') && (beliefs.get('claimed') ?? 0) > 0;
  return (
    <div class="beliefs">
      <p class="chips" role="group" aria-label="Belief">
        {shown.map((belief) => {
          const isCurrent = belief === current;
          const selected = isCurrent ? { open: false, ...others } : { ...parameters, belief };
          const count = beliefs.get(belief);
          return (
            <a
              key={belief}
              class="chip"
              href={findingsUrl(organizationId, selected)}
              aria-current={isCurrent || undefined}
            >
              <BeliefBadge belief={belief} /> {count !== undefined && <span class="muted">{countText(count)}</span>}
            </a>
          );
        })}
      </p>
      {isOffered && (
        <Form action={claimsFormUrl(organizationId)}>
          <input type="hidden" name="query" value={query.text} />
          <button>Test the claims</button>
        </Form>
      )}
    </div>
  );
}

/** The list of tests that run shows them as they end. */
export const isUnderTest = ({ query, slice }: Pick<FindingsPageProps, 'query' | 'slice'>): boolean =>
  query.retest === 'running' && slice.items.length > 0;

export const RELOAD_SECONDS = 5;
const FOLLOWED = {
  'hx-trigger': `every ${RELOAD_SECONDS}s`,
  'hx-target': '#list',
  'hx-select': '#list',
  'hx-swap': 'outerHTML',
};

/** Beside the title. */
export const FindingsActions = ({ organizationId }: Pick<FindingsPageProps, 'organizationId'>): VNode => (
  <div>
    <a class="button" href={newFindingUrl(organizationId)}>
      New finding
    </a>
    <a class="button" href={importsUrl(organizationId)}>
      Import a file
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

function StatusTabs({ organizationId, query, counts }: FindingsPageProps): VNode {
  const { open, status: _status, ...others } = query.parameters;
  const shown = TAB_STATUSES.find((status) => status === query.status);
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
  const allOpen = [...counts].reduce((sum, [status, count]) => sum + (isOpen(status) ? count : 0), 0);
  return (
    <nav class="tabs" aria-label="Status">
      {tab('Open', open === true && shown === undefined, { open: true }, allOpen)}
      {TAB_STATUSES.map((status) => tab(statusLabel(status), status === shown, { status }, counts.get(status) ?? 0))}
      {tab('All', open !== true && shown === undefined, { open: false })}
    </nav>
  );
}
