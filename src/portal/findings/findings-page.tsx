import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import { SEVERITIES } from '../../kernel/severity';
import { FINDING_STATUS, type Finding, type FindingStatus } from '../../modules/findings';
import type { RetestSummary } from '../../modules/retests';
import { SeverityBadge, statusLabel, VerdictBadge } from '../frame/badges';
import { countText } from '../frame/count';
import { Pager } from '../frame/pager';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import type { FindingsParameters, FindingsQuery } from './findings.requests';
import { findingsUrl, findingUrl } from './findings-url';

export interface FindingsPageProps {
  readonly organizationId: number;
  readonly query: FindingsQuery;
  readonly page: Page;
  readonly slice: Slice<Finding>;
  /** Of all findings of the organization. */
  readonly counts: ReadonlyMap<FindingStatus, number>;
  readonly lastRetests: ReadonlyMap<number, RetestSummary>;
  readonly url: string;
}

export function FindingsPage(props: FindingsPageProps): VNode {
  const { slice, counts, page, url } = props;
  if ([...counts.values()].every((count) => count === 0)) return <NoFindings />;
  return (
    <>
      <a class="button primary scan" href={`/o/${props.organizationId}/scans`}>
        Scan a URL
      </a>
      <StatusTabs {...props} />
      <Filters {...props} />
      {slice.items.length === 0 ? <NoMatch {...props} /> : <FindingsTable {...props} />}
      <Pager page={page} slice={slice} url={url} />
    </>
  );
}

const NoFindings = (): VNode => (
  <section class="empty">
    <h2>No findings yet</h2>
    <p>
      Findings appear here when a scan, a pipeline or a pentest records them. Add an asset of a verified domain, and
      scan it:
    </p>
    <pre>
      <code>npm start -- --target https://www.example.com/</code>
    </pre>
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
  const isFiltered = query.severity !== undefined || query.asset_id !== undefined || query.q !== undefined;
  const tab = (status: FindingStatus | undefined, label: string, count?: number): VNode => (
    <a
      key={label}
      href={findingsUrl(organizationId, { ...query.parameters, status })}
      aria-current={query.status === status ? 'page' : undefined}
    >
      {label} {count !== undefined && !isFiltered && <span class="muted">{countText(count)}</span>}
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
] as const;

function Filters({ organizationId, query, slice }: FindingsPageProps): VNode {
  const assetValue = slice.items[0]?.assetValue ?? `asset ${query.asset_id}`;
  return (
    <form class="filters" action={`/o/${organizationId}/findings`} role="search">
      {query.status !== undefined && <input type="hidden" name="status" value={query.status} />}
      {query.asset_id !== undefined && <input type="hidden" name="asset_id" value={query.asset_id} />}
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
        <input type="search" name="q" value={query.q} maxLength={200} placeholder="Title or asset" />
      </label>
      <button>Apply</button>
      <Chips organizationId={organizationId} query={query} assetValue={assetValue} />
      <p class="muted total">
        {slice.total !== undefined && `${countText(slice.total)} ${slice.total === 1 ? 'finding' : 'findings'}`}
      </p>
    </form>
  );
}

function Chips({
  organizationId,
  query,
  assetValue,
}: Pick<FindingsPageProps, 'organizationId' | 'query'> & { assetValue: string }): VNode {
  const chip = (text: string, without: FindingsParameters): VNode => (
    <a key={text} class="chip" href={findingsUrl(organizationId, { ...query.parameters, ...without })}>
      {text} <span aria-hidden="true">×</span>
      <span class="visually-hidden">, remove this filter</span>
    </a>
  );
  return (
    <p class="chips">
      {query.severity !== undefined && chip(`Severity: ${labelOf(query.severity)} and above`, { severity: undefined })}
      {query.asset_id !== undefined && chip(`Asset: ${assetValue}`, { asset_id: undefined })}
      {query.q !== undefined && chip(`Search: ${query.q}`, { q: undefined })}
    </p>
  );
}

const FindingsTable = ({ organizationId, query, slice, lastRetests }: FindingsPageProps): VNode => (
  <table class="findings">
    <thead>
      <tr>
        <th scope="col">Severity</th>
        <th scope="col">Finding</th>
        <th scope="col">Asset</th>
        <th scope="col">Status</th>
        <th scope="col">Last retest</th>
        <th scope="col">First seen</th>
      </tr>
    </thead>
    <tbody>
      {slice.items.map((finding) => (
        <FindingRow
          key={finding.id}
          finding={finding}
          retest={lastRetests.get(finding.id)}
          assetUrl={
            finding.assetId === null
              ? undefined
              : findingsUrl(organizationId, { ...query.parameters, asset_id: finding.assetId })
          }
          url={findingUrl(organizationId, finding.id)}
        />
      ))}
    </tbody>
  </table>
);

interface FindingRowProps {
  readonly finding: Finding;
  readonly retest: RetestSummary | undefined;
  readonly assetUrl: string | undefined;
  readonly url: string;
}

const FindingRow = ({ finding, retest, assetUrl, url }: FindingRowProps): VNode => (
  <tr>
    <td class="nowrap">
      <SeverityBadge severity={SEVERITIES[finding.severity]} />
    </td>
    <td class="title wide" dir="auto">
      <a href={url}>{finding.title}</a>
    </td>
    <td class="asset wide" dir="auto">
      {assetUrl === undefined ? finding.assetValue : <a href={assetUrl}>{finding.assetValue}</a>}
    </td>
    <td class="nowrap">{statusLabel(finding.status)}</td>
    <td class="nowrap">
      {retest === undefined ? (
        <span class="muted">Not retested</span>
      ) : (
        <VerdictBadge verdict={retest.result ?? retest.status} />
      )}
    </td>
    <td class="nowrap muted">
      <Time at={finding.created} to="day" />
    </td>
  </tr>
);
