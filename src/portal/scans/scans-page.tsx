import type { VNode } from 'preact';
import type { Page } from '../../kernel/page';
import { SEVERITIES } from '../../kernel/severity';
import { type Asset, challengeNames, type Domain, verificationTxtRecord } from '../../modules/assets';
import { isJobOver, type JobOutline } from '../../modules/jobs';
import { Card } from '../frame/card';
import { SeverityBadge, VerdictBadge } from '../frame/badges';
import { CopyBlock } from '../frame/copy-block';
import { Field, Form, Select, TextArea } from '../frame/form';
import { Advanced } from '../frame/form-parts';
import { Only } from '../frame/only';
import { Pager } from '../frame/pager';
import { Through } from '../frame/through';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { Table } from '../frame/table';
import { assetsUrl, domainsUrl, scansUrl, scanUrl } from '../urls';
import { AccountChoices } from './account-choices';
import { DepthSelect } from './depth-select';
import { EventSelect } from './event-choices';
import type { ScansView } from './scan-reader';

interface ScansPageProps {
  readonly view: ScansView;
  readonly page: Page;
  readonly url: string;
  readonly isFailed: boolean;
}

export const ScansPage = ({ view, page, url, isFailed }: ScansPageProps): VNode => (
  <>
    {view.mayScan ? <ScanCard view={view} /> : <p class="muted">Members of the organization can scan a URL.</p>}
    <WayOut view={view} />
    <Only what={isFailed ? 'Failed in the last 7 days' : undefined} all={scansUrl(view.organizationId)} />
    {view.slice.items.length > 0 ? <ScansTable view={view} /> : !isFailed && <NoScans />}
    <Pager page={page} slice={view.slice} url={url} />
  </>
);

const ScanCard = ({ view, view: { organizationId, assets, typed } }: { view: ScansView }): VNode => (
  <Form action={scansUrl(organizationId)} class="scan-form" encType="multipart/form-data">
    <Field
      name="url"
      label="URL"
      input={{
        type: 'url',
        value: typed.url,
        maxLength: 2048,
        placeholder: 'https://www.example.com/',
        list: 'assets',
        autocomplete: 'off',
      }}
    />
    <datalist id="assets">
      {assets.filter(isPage).map(({ id, type, value }) => (
        <option key={id} value={type === 'url' ? value : `https://${value}/`} />
      ))}
    </datalist>
    <AccountChoices accounts={view.accounts} />
    <DepthSelect label="Depth" />
    <button class="primary">Scan</button>
    <Options view={view} />
  </Form>
);

/** Where it is sent from, what it belongs to, and where an active scan begins. */
const Options = ({ view, view: { beacons, events, typed } }: { view: ScansView }): VNode => (
  <Advanced isOpen={[typed.beaconId, typed.eventSlug].some(Boolean)}>
    <div class="inline-form">
      {beacons.length > 0 && (
        <Select
          name="beacon_id"
          label="Network"
          value={typed.beaconId}
          options={[{ value: '', label: 'Internet' }, ...beacons.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      {events.length > 0 && <EventSelect view={view} />}
      <Field
        name="checks"
        label="Checks"
        input={{
          required: false,
          maxLength: 2000,
          placeholder: 'All built-in checks',
          title: 'Ids of checks, or tags of loaded templates, with commas between them',
          autocomplete: 'off',
          spellcheck: false,
        }}
      />
    </div>
    <TextArea name="urls" label="URLs where an active scan begins" hint="Of the same site, one in each line." />
    <Field
      name="har"
      label="HAR file for an active scan"
      hint="Its GET requests to the site, without credentials. At most 256 KB: remove the responses first."
      input={{ type: 'file', accept: '.har,application/json', required: false }}
    />
  </Advanced>
);

const isPage = ({ type }: Asset): boolean => type === 'url' || type === 'domain';

/** What to do after a refusal, beside the reason that the page shows above. */
function WayOut({ view }: { view: ScansView }): VNode | null {
  const { organizationId, refusedHost, unverified, events, typed } = view;
  const isOutsideOfEvent = events.some(({ slug, isOutside }) => isOutside && slug === typed.eventSlug);
  // A refusal because of the event, or of a scan through a beacon, says all that can be done.
  if (refusedHost === undefined || isOutsideOfEvent) return null;
  return (
    <Card id="way-out" title="What to do next" class="way-out">
      {unverified === undefined ? (
        <ul>
          <li>
            For a site on the Internet:{' '}
            <a href={`${domainsUrl(organizationId)}?value=${encodeURIComponent(refusedHost)}`}>add its domain</a> and
            verify it. This also adds it to the <a href={assetsUrl(organizationId)}>assets</a>.
          </li>
          <li>
            For a site on the machine or in the network of this service: ask the operator of this installation to allow
            it as a target.
          </li>
        </ul>
      ) : (
        <PublishRecord organizationId={organizationId} domain={unverified} />
      )}
    </Card>
  );
}

const PublishRecord = ({ organizationId, domain }: { organizationId: number; domain: Domain }): VNode => (
  <>
    <p>
      Publish this TXT record at <code dir="ltr">{challengeNames(domain.value)[0]}</code>, then{' '}
      <a href={domainsUrl(organizationId)}>check the domain</a>.
    </p>
    <CopyBlock id="txt-record" label="TXT record" text={verificationTxtRecord(domain.verificationToken)} />
  </>
);

const NoScans = (): VNode => (
  <section class="empty">
    <h2>No scans yet</h2>
    <p>Enter the URL of a site whose domain is verified. A scan takes some seconds, and changes nothing on the site.</p>
  </section>
);

const ScansTable = ({ view: { organizationId, slice, beaconNames } }: { view: ScansView }): VNode => (
  <Table
    rows={slice.items}
    columns={[
      {
        label: 'Target',
        class: 'main wide',
        dir: 'auto',
        cell: ({ job }) => (
          <>
            <a href={scanUrl(organizationId, job.uuid)}>{job.url}</a>
            <Through beacon={beaconNames.get(job.beaconId ?? 0)} />
          </>
        ),
      },
      { label: 'State', class: 'nowrap', cell: ({ job }) => <VerdictBadge verdict={job.status.toLowerCase()} /> },
      { label: 'Found', class: 'nowrap', cell: (outline) => <Found {...outline} /> },
      {
        label: 'Gate at the end',
        class: 'nowrap',
        isNamed: true,
        cell: ({ job, end }) => {
          if (!isJobOver(job.status)) return <span class="muted">not yet</span>;
          // A job of an earlier version has none.
          return end?.gate ? <GateBadge success={end.gate === 'passed'} /> : <span class="muted">not stored</span>;
        },
      },
      { label: 'Started', class: 'nowrap muted', cell: ({ job }) => <Time at={job.created} /> },
    ]}
  />
);

function Found({ job, end }: JobOutline): VNode {
  if (!isJobOver(job.status)) return <span class="muted">not yet</span>;
  if (!end?.found) return <span class="muted">nothing</span>;
  const count = pluralize(end.found, 'finding');
  if (end.isCut) return <>at least {count}</>;
  return (
    <>
      {count}, <SeverityBadge severity={SEVERITIES[end.worst ?? 0] ?? 'none'} />
    </>
  );
}

/** Whether a pipeline may continue. */
export const GateBadge = ({ success }: { success: boolean }): VNode => (
  <VerdictBadge verdict={success ? 'passes' : 'fails'} />
);
