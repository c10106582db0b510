import type { VNode } from 'preact';
import type { Page } from '../../kernel/page';
import { SEVERITIES } from '../../kernel/severity';
import { ASSET_TIERS, ASSET_TYPES } from '../../modules/assets';
import type { OpenFindings } from '../../modules/findings';
import type { BeaconName } from '../../modules/retests';
import { SeverityBadge, VerdictBadge } from '../frame/badges';
import { labelOf, totalText } from '../frame/words';
import { Field, Form, Select } from '../frame/form';
import { Pager } from '../frame/pager';
import { Through } from '../frame/through';
import { Time } from '../frame/time';
import { assetsUrl, assetUrl, domainsUrl, scanUrl } from '../urls';
import type { AssetRowView, AssetsView } from './asset-reader';
import type { AssetsQuery } from './assets.requests';

interface AssetsPageProps {
  readonly view: AssetsView;
  readonly query: AssetsQuery;
  readonly page: Page;
  readonly url: string;
}

export function AssetsPage(props: AssetsPageProps): VNode {
  const { view, query, page, url } = props;
  const isFiltered = query.q !== undefined || query.type !== undefined || query.tier !== undefined;
  return (
    <>
      {(isFiltered || view.slice.items.length > 0) && <Filters {...props} />}
      {view.slice.items.length > 0 ? (
        <AssetsTable view={view} />
      ) : isFiltered ? (
        <NoMatch {...props} />
      ) : (
        <NoAssets view={view} />
      )}
      <Pager page={page} slice={view.slice} url={url} />
      {view.mayChange && <AddAsset view={view} />}
    </>
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

const TYPE_LABELS: Readonly<Record<string, string>> = {
  domain: 'Domain',
  url: 'URL',
  ip: 'IP address',
  cidr: 'CIDR block',
};

const Filters = ({ view: { organizationId, slice }, query }: AssetsPageProps): VNode => (
  <form class="filters" action={assetsUrl(organizationId)} role="search">
    <label>
      Type
      <select name="type">{anyOr(ASSET_TYPES, query.type)}</select>
    </label>
    <label>
      Tier
      <select name="tier">{anyOr(ASSET_TIERS, query.tier as (typeof ASSET_TIERS)[number] | undefined)}</select>
    </label>
    <label class="grow">
      Search
      <input type="search" name="q" value={query.q} maxLength={200} placeholder="Name or address" />
    </label>
    <button>Apply</button>
    <p class="muted total">{slice.total !== undefined && totalText(slice.total, 'asset')}</p>
  </form>
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
          Add a <a href={domainsUrl(organizationId)}>domain you own</a>, or add an asset below.
        </>
      ) : (
        'Members of the organization can add one.'
      )}
    </p>
  </section>
);

const AssetsTable = ({ view: { organizationId, slice, beaconNames } }: { view: AssetsView }): VNode => (
  <table class="list">
    <thead>
      <tr>
        <th scope="col">Asset</th>
        <th scope="col">Type</th>
        <th scope="col">Tier</th>
        <th scope="col">Open findings</th>
        <th scope="col">Risk</th>
        <th scope="col">Owner</th>
        <th scope="col">Last scan</th>
      </tr>
    </thead>
    <tbody>
      {slice.items.map((row) => (
        <AssetRow
          key={row.asset.id}
          organizationId={organizationId}
          row={row}
          beacon={beaconNames.get(row.asset.beaconId ?? 0)}
        />
      ))}
    </tbody>
  </table>
);

interface AssetRowProps {
  readonly organizationId: number;
  readonly row: AssetRowView;
  readonly beacon: BeaconName | undefined;
}

const AssetRow = ({ organizationId, row, beacon }: AssetRowProps): VNode => (
  <tr>
    <td class="main wide" dir="auto">
      <a href={assetUrl(organizationId, row.asset.id)}>{row.asset.value}</a>
      <Through beacon={beacon} />
    </td>
    <td class="nowrap">{TYPE_LABELS[row.asset.type]}</td>
    <td class="nowrap">{row.asset.tier === null ? <span class="muted">No tier</span> : `Tier ${row.asset.tier}`}</td>
    <td data-label="Open findings">
      <OpenCounts open={row.totals.open} />
    </td>
    <td class="nowrap" data-label="Risk">
      {row.totals.riskScore}
    </td>
    <td class="nowrap">
      <OwnerBadge isVerified={row.isVerified} />
    </td>
    <td class="nowrap muted" data-label="Last scan">
      {row.lastJob === undefined ? (
        'never'
      ) : (
        <a href={scanUrl(organizationId, row.lastJob.uuid)}>
          <Time at={row.lastJob.created} to="day" />
        </a>
      )}
    </td>
  </tr>
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

/** Whether the organization has proven that the host is its own. */
export const OwnerBadge = ({ isVerified }: { isVerified: boolean | null }): VNode =>
  isVerified === null ? (
    <span class="muted">no domain</span>
  ) : (
    <VerdictBadge verdict={isVerified ? 'verified' : 'not_verified'} />
  );

export const tierOptions = [
  { value: '', label: 'None' },
  ...ASSET_TIERS.map((tier) => ({ value: tier, label: String(tier) })),
];

const AddAsset = ({ view: { organizationId, beacons } }: { view: AssetsView }): VNode => (
  <section class="card below" aria-labelledby="add-title">
    <h2 id="add-title">Add an asset</h2>
    <p>A domain covers its subdomains, and a URL what is below its path. Tier 1 is the most important.</p>
    <Form action={assetsUrl(organizationId)} class="inline-form">
      <Field
        name="asset_value"
        label="Value"
        input={{ maxLength: 2048, placeholder: 'shop.example.com, https://example.com/app or 10.0.0.0/24' }}
      />
      <Select
        name="type"
        label="Type"
        options={ASSET_TYPES.map((value) => ({ value, label: TYPE_LABELS[value] ?? labelOf(value) }))}
      />
      <Select name="tier" label="Tier" options={tierOptions} />
      {beacons.length > 0 && (
        <Select
          name="beacon_id"
          label="Network"
          options={[{ value: '', label: 'Internet' }, ...beacons.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      <button class="primary compact">Add</button>
    </Form>
  </section>
);
