import type { VNode } from 'preact';
import { beliefOf, isOpen, type PresentedFinding } from '../../modules/findings';
import { ownerOf } from '../../modules/identity';
import type { JobReference } from '../../modules/jobs';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { VerdictBadge } from '../frame/badges';
import { Field, Select } from '../frame/form';
import { OwnerSelect } from '../frame/owner-select';
import { Labels, LabelsField } from '../frame/labels';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { Table } from '../frame/table';
import { formatted } from '../frame/words';
import { ObservationPart } from '../observations/what-runs-here';
import { OpenOverTime } from '../overview/open-over-time';
import { assetsUrl, assetUrl, domainsUrl, findingsUrl, newFindingUrl, overviewUrl, scansUrl, scanUrl } from '../urls';
import { severityColumn, statusColumn, titleColumn } from '../findings/finding-columns';
import { AcceptedChecks } from './accepted-checks';
import { Accounts } from './accounts';
import { ActiveTestsForm, activeTestsText, ProofFileFact } from './active-tests';
import type { AssetPageView } from './asset-reader';
import { References } from './references';
import { OpenCounts, OwnerLink, tierOptions, VerifiedBadge } from './assets-page';

const MAX_FINDINGS = 20;

export const AssetPage = ({
  view,
  references,
}: {
  view: AssetPageView;
  references: readonly JobReference[];
}): VNode => (
  <div class="columns">
    <div>
      <Findings view={view} />
      <ObservationPart view={view.observation} />
      <RiskOverTime view={view} />
      <Scans view={view} />
      <Accounts view={view} />
      <AcceptedChecks view={view} />
      <References view={view} references={references} />
    </div>
    <aside>
      <Facts view={view} />
      {view.mayChange && <Edit view={view} />}
      {view.mayDecide && [<EditOwner key="owner" view={view} />, <EditLabels key="labels" view={view} />]}
      {view.mayDecide && <ActiveTestsForm organizationId={view.organizationId} asset={view.details.asset} />}
      {view.mayDecide && <Delete view={view} />}
    </aside>
  </div>
);

function Facts({ view: { organizationId, details, isVerified, owners } }: { view: AssetPageView }): VNode {
  const { asset, totals, technologies } = details;
  return (
    <Card id="facts" title="Details">
      <dl class="facts">
        <Fact label="Open findings">
          <OpenCounts open={totals.open} />
        </Fact>
        <Fact label="Risk score">{totals.riskScore} of 10.0</Fact>
        <Fact label="Owner">
          <OwnerLink {...{ organizationId, owners, asset }} />
        </Fact>
        <Fact label="Domain">
          <VerifiedBadge isVerified={isVerified} />
          {isVerified === false && (
            <>
              {' '}
              <a href={domainsUrl(organizationId)}>Verify the domain</a>
            </>
          )}
        </Fact>
        <Fact label="Network">{asset.beaconId === null ? 'Internet' : 'Private, behind a beacon'}</Fact>
        <Fact label="Active tests">{activeTestsText(asset)}</Fact>
        <ProofFileFact asset={asset} />
        {asset.services.length > 0 && <Fact label="Services">{asset.services.join(', ')}</Fact>}
        {technologies.length > 0 && (
          <Fact label="Technologies">
            {technologies.map(({ name, version }) => `${name} ${version}`.trim()).join(', ')}
          </Fact>
        )}
        {asset.labels.length > 0 && (
          <Fact label="Labels">
            <Labels labels={asset.labels} hrefOf={(label) => assetsUrl(organizationId, { label })} />
          </Fact>
        )}
        <Fact label="Added">
          <Time at={asset.created} to="day" />
        </Fact>
      </dl>
    </Card>
  );
}

/** The open ones first, then the most urgent. */
const byUrgency = (one: PresentedFinding, other: PresentedFinding): number =>
  Number(isOpen(other.status)) - Number(isOpen(one.status)) ||
  one.priority - other.priority ||
  Number(beliefOf(other) === 'proved') - Number(beliefOf(one) === 'proved');

function Findings({ view: { organizationId, details, mayChange } }: { view: AssetPageView }): VNode {
  const { asset, totals, findings } = details;
  return (
    <Card id="findings" title="Findings">
      {mayChange && (
        <p>
          <a href={newFindingUrl(organizationId, asset.id)}>Record a finding by hand</a>
        </p>
      )}
      {findings.length === 0 ? (
        <p class="muted">No findings.</p>
      ) : (
        <>
          <Table
            rows={findings.toSorted(byUrgency).slice(0, MAX_FINDINGS)}
            columns={[
              severityColumn,
              titleColumn(organizationId),
              statusColumn,
              { label: 'First seen', class: 'nowrap muted', cell: ({ created }) => <Time at={created} to="day" /> },
            ]}
          />
          {totals.findings > MAX_FINDINGS && (
            <p>
              <a href={findingsUrl(organizationId, { asset_id: asset.id, sort: 'priority' })}>
                All {formatted(totals.findings)} findings
              </a>
            </p>
          )}
        </>
      )}
    </Card>
  );
}

function RiskOverTime({ view: { organizationId, details, overTime } }: { view: AssetPageView }): VNode | null {
  if (details.totals.findings === 0) return null;
  if (overTime !== null) return <OpenOverTime {...overTime} />;
  return (
    <Card id="over-time" title="Open findings over time">
      <p>
        This asset has too many findings to count them by week here. The{' '}
        <a href={overviewUrl(organizationId)}>overview</a> has those of all assets.
      </p>
    </Card>
  );
}

const Scans = ({ view: { organizationId, jobs } }: { view: AssetPageView }): VNode => (
  <Card id="scans" title="Scans">
    {jobs.length === 0 ? (
      <p class="muted">
        It was not scanned yet. <a href={scansUrl(organizationId)}>Scan a URL</a>
      </p>
    ) : (
      <Table
        rows={jobs}
        columns={[
          {
            label: 'Target',
            class: 'main wide',
            dir: 'auto',
            cell: ({ uuid, url }) => <a href={scanUrl(organizationId, uuid)}>{url}</a>,
          },
          { label: 'State', class: 'nowrap', cell: ({ status }) => <VerdictBadge verdict={status.toLowerCase()} /> },
          { label: 'Started', class: 'nowrap muted', cell: ({ created }) => <Time at={created} /> },
        ]}
      />
    )}
  </Card>
);

function Edit({ view: { organizationId, details } }: { view: AssetPageView }): VNode {
  const { id, tier, purl, cpe } = details.asset;
  return (
    <Panel label="Edit the asset" action={assetUrl(organizationId, id)}>
      <Select name="tier" label="Tier" hint="1 is the most important." options={tierOptions} value={tier} />
      <Field
        name="purl"
        label="Package URL"
        hint="The product that runs there. VEX reports name it."
        input={{ value: purl ?? '', required: false }}
      />
      <Field name="cpe" label="CPE 2.3" input={{ value: cpe ?? '', required: false }} />
      <button>Save</button>
    </Panel>
  );
}

const EditOwner = ({ view: { organizationId, details, owners } }: { view: AssetPageView }): VNode => (
  <Panel label="Change the owner" action={`${assetUrl(organizationId, details.asset.id)}/owner`}>
    <OwnerSelect
      label="Owner"
      hint="New findings are assigned to a member. Admins make groups on the page Members."
      owners={owners}
      value={ownerOf(details.asset)}
      none="No one"
    />
    <button>Save</button>
  </Panel>
);

const EditLabels = ({ view: { organizationId, details } }: { view: AssetPageView }): VNode => (
  <Panel label="Change the labels" action={`${assetUrl(organizationId, details.asset.id)}/labels`}>
    <LabelsField labels={details.asset.labels} />
    <button>Save</button>
  </Panel>
);

const Delete = ({ view: { organizationId, details } }: { view: AssetPageView }): VNode => (
  <Panel label="Delete the asset" action={`${assetUrl(organizationId, details.asset.id)}/delete`}>
    <p>Its findings stay, without the asset. It can then not be scanned, unless another asset covers it.</p>
    <button class="danger">Delete the asset</button>
  </Panel>
);
