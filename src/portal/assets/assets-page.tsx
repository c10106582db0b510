import type { VNode } from 'preact';
import type { Page } from '../../kernel/page';
import { SEVERITIES } from '../../kernel/severity';
import { ASSET_TIERS, ASSET_TYPES, type AssetOrder } from '../../modules/assets';
import { MAX_LABEL_LENGTH, type OpenFindings } from '../../modules/findings';
import { ownerOf } from '../../modules/identity';
import { SeverityBadge, VerdictBadge } from '../frame/badges';
import { totalText } from '../frame/words';
import { FilterForm } from '../frame/filter-form';
import { Labels } from '../frame/labels';
import { Only } from '../frame/only';
import { ownerFilters, type OwnerOption, ownerName } from '../frame/owner-select';
import { Pager } from '../frame/pager';
import { Through } from '../frame/through';
import { Time } from '../frame/time';
import { Table } from '../frame/table';
import { assetsUrl, assetUrl, domainsUrl, scanUrl } from '../urls';
import type { AssetsView } from './asset-reader';
import type { AssetsQuery } from './assets.requests';

interface OwnerLinkProps {
  readonly organizationId: number;
  readonly owners: readonly OwnerOption[];
  readonly asset: Parameters<typeof ownerOf>[0];
}

interface AssetsPageProps {
  readonly view: AssetsView;
  readonly query: AssetsQuery;
  readonly page: Page;
  readonly url: string;
}

export function AssetsPage(props: AssetsPageProps): VNode {
  const { view, query, page, url } = props;
  const isFiltered =
    query.certificate !== undefined ||
    [query.type, query.tier, query.label, query.owner, query.q].some((value) => value !== undefined);
  return (
    <div id="list">
      <Only what={query.certificate && 'With a certificate that expires'} all={assetsUrl(view.organizationId)} />
      {(isFiltered || view.slice.items.length > 0) && <Filters {...props} />}
      {view.slice.items.length > 0 ? (
        <AssetsTable view={view} order={query.order} />
      ) : isFiltered ? (
        <NoMatch {...props} />
      ) : (
        <NoAssets view={view} />
      )}
      <Pager page={page} slice={view.slice} url={url} />
    </div>
  );
}

const anyOr = <Value extends string | number>(values: readonly Value[], selected: Value | undefined): VNode[] => [
  <option key="" value="">
    Any
  </option>,
  ...values.map((value) => (
    <option key={value} value={value} selected={value === selected}>
      {typeof value === 'string' ? TYPE_LABELS[value] : value}
    </option>
  )),
];

export const TYPE_LABELS: Readonly<Record<string, string>> = {
  domain: 'Domain',
  url: 'URL',
  ip: 'IP address',
  cidr: 'CIDR block',
};

const Filters = ({ view: { organizationId, slice, owners }, query }: AssetsPageProps): VNode => (
  <FilterForm action={assetsUrl(organizationId)} target="#list">
    {query.certificate !== undefined && <input type="hidden" name="certificate" value={query.certificate} />}
    <label>
      Type
      <select name="type">{anyOr(ASSET_TYPES, query.type)}</select>
    </label>
    <label>
      Tier
      <select name="tier">{anyOr(ASSET_TIERS, query.tier as (typeof ASSET_TIERS)[number] | undefined)}</select>
    </label>
    <label>
      Label
      <input name="label" value={query.label} maxLength={MAX_LABEL_LENGTH} dir="auto" />
    </label>
    <label>
      Owner
      <select name="owner">
        {[{ value: '', label: 'Anyone' }, ...ownerFilters(owners)].map(({ value, label }) => (
          <option key={value} value={value} selected={value === query.owner}>
            {label}
          </option>
        ))}
      </select>
    </label>
    <label class="grow">
      Search
      <input type="search" name="q" value={query.q} maxLength={200} placeholder="Name or address" />
    </label>
    <label class="sort">
      <span class="visually-hidden">Sort by</span>
      <select name="sort">
        <option value="risk">Highest risk</option>
        <option value="newest" selected={query.order === 'newest'}>
          Newest
        </option>
      </select>
    </label>
    <p class="muted total">{slice.total !== undefined && totalText(slice, 'asset')}</p>
  </FilterForm>
);

const NoMatch = ({ view }: AssetsPageProps): VNode => (
  <section class="empty">
    <h2>No asset matches</h2>
    <p>
      <a href={assetsUrl(view.organizationId)}>Show all assets</a>
    </p>
  </section>
);

const NoAssets = ({ view: { organizationId, mayChange } }: { view: AssetsView }): VNode => (
  <section class="empty">
    <h2>No assets yet</h2>
    <p>
      An asset is what can be tested: a domain, a URL, an address or a network.{' '}
      {mayChange ? (
        <>
          Add a <a href={domainsUrl(organizationId)}>domain you own</a>, or an asset.
        </>
      ) : (
        'Members of the organization can add one.'
      )}
    </p>
  </section>
);

const AssetsTable = ({
  view: { organizationId, slice, beaconNames, owners },
  order,
}: {
  view: AssetsView;
  order: AssetOrder;
}): VNode => (
  <Table
    rows={slice.items}
    columns={[
      {
        label: 'Asset',
        class: 'main wide',
        dir: 'auto',
        cell: ({ asset }) => (
          <>
            <a href={assetUrl(organizationId, asset.id)}>{asset.value}</a>
            <Through beacon={beaconNames.get(asset.beaconId ?? 0)} />
            <Labels labels={asset.labels} hrefOf={(label) => assetsUrl(organizationId, { label })} />
          </>
        ),
      },
      { label: 'Type', class: 'nowrap', cell: ({ asset }) => TYPE_LABELS[asset.type] },
      {
        label: 'Tier',
        class: 'nowrap',
        cell: ({ asset: { tier } }) => (tier === null ? <span class="muted">No tier</span> : `Tier ${tier}`),
      },
      { label: 'Open findings', isNamed: true, cell: ({ totals }) => <OpenCounts open={totals.open} /> },
      {
        label: 'Risk',
        sorted: order === 'risk' ? 'descending' : undefined,
        class: 'nowrap',
        isNamed: true,
        cell: ({ totals }) => totals.riskScore,
      },
      {
        label: 'Owner',
        isNamed: true,
        class: 'nowrap',
        dir: 'auto',
        cell: ({ asset }) => <OwnerLink {...{ organizationId, owners, asset }} />,
      },
      { label: 'Domain', class: 'nowrap', cell: ({ isVerified }) => <VerifiedBadge isVerified={isVerified} /> },
      {
        label: 'Last scan',
        class: 'nowrap muted',
        isNamed: true,
        cell: ({ lastJob }) =>
          lastJob === undefined ? (
            'never'
          ) : (
            <a href={scanUrl(organizationId, lastJob.uuid)}>
              <Time at={lastJob.created} to="day" />
            </a>
          ),
      },
    ]}
  />
);

/** The open findings of an asset in each severity that it has. */
export function OpenCounts({ open }: { open: OpenFindings }): VNode {
  const counted = SEVERITIES.toReversed().flatMap((severity) => {
    const count = severity in open ? open[severity as keyof OpenFindings] : 0;
    return count === 0 ? [] : [{ severity, count }];
  });
  if (counted.length === 0) return <span class="muted">none</span>;
  return (
    <span class="counts">
      {counted.map(({ severity, count }) => (
        <span key={severity} class="nowrap">
          {count} <SeverityBadge severity={severity} />
        </span>
      ))}
    </span>
  );
}

/** The owner leads to the assets of the same one. */
export function OwnerLink({ organizationId, owners, asset }: OwnerLinkProps): VNode {
  const owner = ownerOf(asset);
  if (owner === null) return <span class="muted">none</span>;
  return <a href={assetsUrl(organizationId, { owner })}>{ownerName(owners, owner)}</a>;
}

/** Whether the organization has proven that the host is its own. */
export const VerifiedBadge = ({ isVerified }: { isVerified: boolean | null }): VNode =>
  isVerified === null ? (
    <span class="muted">no domain</span>
  ) : (
    <VerdictBadge verdict={isVerified ? 'verified' : 'not_verified'} />
  );

export const tierOptions = [
  { value: '', label: 'None' },
  ...ASSET_TIERS.map((tier) => ({ value: tier, label: String(tier) })),
];
