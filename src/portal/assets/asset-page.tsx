import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import type { AcceptanceKind } from '../../modules/assets';
import { SeverityBadge, statusLabel, VerdictBadge } from '../frame/badges';
import { Field, Form, Select } from '../frame/form';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { OpenOverTime } from '../overview/open-over-time';
import { assetUrl, domainsUrl, findingsUrl, findingUrl, overviewUrl, scansUrl, scanUrl } from '../urls';
import type { AssetPageView } from './asset-reader';
import { OpenCounts, OwnerBadge, tierOptions } from './assets-page';

const MAX_FINDINGS = 20;

export const AssetPage = ({ view }: { view: AssetPageView }): VNode => (
  <div class="columns">
    <div>
      <Findings view={view} />
      <RiskOverTime view={view} />
      <Scans view={view} />
      <AcceptedChecks view={view} />
    </div>
    <aside>
      <Facts view={view} />
      {view.mayChange && <Edit view={view} />}
      {view.mayDecide && <Delete view={view} />}
    </aside>
  </div>
);

function Facts({ view: { organizationId, details, isVerified } }: { view: AssetPageView }): VNode {
  const { asset, totals, technologies } = details;
  return (
    <section class="card" aria-labelledby="facts-title">
      <h2 id="facts-title">Details</h2>
      <dl class="facts">
        <div>
          <dt>Open findings</dt>
          <dd>
            <OpenCounts open={totals.open} />
          </dd>
        </div>
        <div>
          <dt>Risk score</dt>
          <dd>{totals.riskScore} of 10.0</dd>
        </div>
        <div>
          <dt>Owner</dt>
          <dd>
            <OwnerBadge isVerified={isVerified} />
            {isVerified === false && (
              <>
                {' '}
                <a href={domainsUrl(organizationId)}>Verify the domain</a>
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Network</dt>
          <dd>{asset.beaconId === null ? 'Internet' : 'Private, behind a beacon'}</dd>
        </div>
        {asset.services.length > 0 && (
          <div>
            <dt>Services</dt>
            <dd>{asset.services.join(', ')}</dd>
          </div>
        )}
        {technologies.length > 0 && (
          <div>
            <dt>Technologies</dt>
            <dd dir="auto">{technologies.map(({ name, version }) => `${name} ${version}`.trim()).join(', ')}</dd>
          </div>
        )}
        <div>
          <dt>Added</dt>
          <dd>
            <Time at={asset.created} to="day" />
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Findings({ view: { organizationId, details } }: { view: AssetPageView }): VNode {
  const { asset, totals, findings } = details;
  return (
    <section class="card" aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      {findings.length === 0 ? (
        <p class="muted">No findings.</p>
      ) : (
        <>
          <table class="list">
            <thead>
              <tr>
                <th scope="col">Severity</th>
                <th scope="col">Finding</th>
                <th scope="col">Status</th>
                <th scope="col">First seen</th>
              </tr>
            </thead>
            <tbody>
              {findings.slice(0, MAX_FINDINGS).map(({ id, title, severity, status, created }) => (
                <tr key={id}>
                  <td class="nowrap">
                    <SeverityBadge severity={SEVERITIES[severity]} />
                  </td>
                  <td class="main wide" dir="auto">
                    <a href={findingUrl(organizationId, id)}>{title}</a>
                  </td>
                  <td class="nowrap">{statusLabel(status)}</td>
                  <td class="nowrap muted">
                    <Time at={created} to="day" />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {totals.findings > MAX_FINDINGS && (
            <p>
              <a href={findingsUrl(organizationId, { asset_id: asset.id })}>All {totals.findings} findings</a>
            </p>
          )}
        </>
      )}
    </section>
  );
}

function RiskOverTime({ view: { organizationId, details, overTime } }: { view: AssetPageView }): VNode | null {
  if (details.totals.findings === 0) return null;
  if (overTime !== null) return <OpenOverTime {...overTime} />;
  return (
    <section class="card" aria-labelledby="over-time-title">
      <h2 id="over-time-title">Open findings over time</h2>
      <p>
        This asset has too many findings to count them by week here. The{' '}
        <a href={overviewUrl(organizationId)}>overview</a> has those of all assets.
      </p>
    </section>
  );
}

const Scans = ({ view: { organizationId, jobs } }: { view: AssetPageView }): VNode => (
  <section class="card" aria-labelledby="scans-title">
    <h2 id="scans-title">Scans</h2>
    {jobs.length === 0 ? (
      <p class="muted">
        It was not scanned yet. <a href={scansUrl(organizationId)}>Scan a URL</a>
      </p>
    ) : (
      <table class="list">
        <thead>
          <tr>
            <th scope="col">Target</th>
            <th scope="col">State</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map(({ uuid, url, status, created }) => (
            <tr key={uuid}>
              <td class="main wide" dir="auto">
                <a href={scanUrl(organizationId, uuid)}>{url}</a>
              </td>
              <td class="nowrap">
                <VerdictBadge verdict={status.toLowerCase()} />
              </td>
              <td class="nowrap muted">
                <Time at={created} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
);

const ACCEPTED: Readonly<Record<AcceptanceKind, string>> = {
  findings: 'Its findings',
  incompleteness: 'That it is incomplete',
};

const ACCEPTED_OPTIONS = Object.entries(ACCEPTED).map(([value, label]) => ({ value, label }));

function AcceptedChecks({ view: { organizationId, details, accepted, mayDecide } }: { view: AssetPageView }): VNode {
  const base = `${assetUrl(organizationId, details.asset.id)}/accepted-checks`;
  return (
    <section class="card" aria-labelledby="accepted-title">
      <h2 id="accepted-title">Accepted checks</h2>
      <p>
        Until the given day, findings of an accepted check stay and do not stop a pipeline; or it does not stop one that
        the check could not be completed.
      </p>
      {accepted.length > 0 && (
        <table class="list">
          <thead>
            <tr>
              <th scope="col">Check</th>
              <th scope="col">Accepted</th>
              <th scope="col">Reason</th>
              <th scope="col">Until</th>
              <th scope="col">By</th>
              <th scope="col">
                <span class="visually-hidden">Action</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {accepted.map(({ accepted: { checkId, reason, acceptedBy }, covers, until, isExpired }) => (
              <tr key={checkId}>
                <td class="main nowrap">
                  <code>{checkId}</code>
                </td>
                <td class="nowrap">{ACCEPTED[covers]}</td>
                <td class="wide" dir="auto">
                  {reason}
                </td>
                <td class="nowrap">
                  <Time at={until} to="day" /> {isExpired && <strong>expired</strong>}
                </td>
                <td class="wide">{acceptedBy}</td>
                <td>
                  {mayDecide && (
                    <Form action={`${base}/${encodeURIComponent(checkId)}/delete`}>
                      <button aria-label={`Remove ${checkId}`}>Remove</button>
                    </Form>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {mayDecide && (
        <Form action={base} class="inline-form">
          <Field name="check_id" label="Check" input={{ maxLength: 100, placeholder: 'missing-hsts' }} />
          <Select name="covers" label="Accepted" options={ACCEPTED_OPTIONS} value="findings" />
          <Field name="reason" label="Reason" input={{ maxLength: 500 }} />
          <Field name="until" label="Last day" input={{ type: 'date' }} />
          <button>Accept the check</button>
        </Form>
      )}
    </section>
  );
}

function Edit({ view: { organizationId, details } }: { view: AssetPageView }): VNode {
  const { id, tier, purl, cpe } = details.asset;
  return (
    <section class="card" aria-labelledby="edit-title">
      <h2 id="edit-title">Edit</h2>
      <Form action={assetUrl(organizationId, id)}>
        <Select name="tier" label="Tier" hint="1 is the most important." options={tierOptions} value={tier} />
        <Field
          name="purl"
          label="Package URL"
          hint="The product that runs there. VEX reports name it."
          input={{ value: purl ?? '', required: false }}
        />
        <Field name="cpe" label="CPE 2.3" input={{ value: cpe ?? '', required: false }} />
        <button>Save</button>
      </Form>
    </section>
  );
}

const Delete = ({ view: { organizationId, details } }: { view: AssetPageView }): VNode => (
  <Panel label="Delete the asset" kind="danger" action={`${assetUrl(organizationId, details.asset.id)}/delete`}>
    <p>Its findings stay, without the asset. It can then not be scanned, unless another asset covers it.</p>
    <button class="danger">Delete the asset</button>
  </Panel>
);
