import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import { challengeNames, type Domain, verificationTxtRecord } from '../../modules/assets';
import { VerdictBadge } from '../frame/badges';
import { CopyBlock } from '../frame/copy-block';
import { Field, Form } from '../frame/form';
import { Only } from '../frame/only';
import { Pager } from '../frame/pager';
import { Panel } from '../frame/panel';
import { Sheet } from '../frame/sheet';
import { Time } from '../frame/time';
import { domainsUrl, scansUrl } from '../urls';

interface DomainsPageProps {
  readonly organizationId: number;
  readonly slice: Slice<Domain>;
  readonly page: Page;
  readonly url: string;
  readonly isUnproven: boolean;
  readonly mayChange: boolean;
  readonly mayDelete: boolean;
}

export function DomainsPage(props: DomainsPageProps): VNode {
  const { organizationId, slice, page, url, isUnproven, mayChange } = props;
  return (
    <>
      <p>Assay tests a host only if its domain, or a parent of it, is verified here by a TXT record.</p>
      <Only what={isUnproven ? 'Unverified' : undefined} all={domainsUrl(organizationId)} />
      {slice.items.length === 0 && !isUnproven && <NoDomains mayChange={mayChange} />}
      <div class="stack">
        {slice.items.map((domain) => (
          <DomainCard key={domain.id} {...props} domain={domain} />
        ))}
      </div>
      <Pager page={page} slice={slice} url={url} />
    </>
  );
}

interface AddDomainProps {
  readonly organizationId: number;
  /** From a link, which opens the form. */
  readonly value: string | undefined;
}

export const AddDomain = ({ organizationId, value }: AddDomainProps): VNode => (
  <Sheet id="add" label="Add a domain" action={domainsUrl(organizationId)} isOpen={value !== undefined}>
    <Field
      name="value"
      label="Domain"
      input={{ value, maxLength: 1000, placeholder: 'example.com', autofocus: true }}
    />
    <button class="primary">Add the domain</button>
  </Sheet>
);

const NoDomains = ({ mayChange }: { mayChange: boolean }): VNode => (
  <section class="empty">
    <h2>No domains yet</h2>
    <p>
      {mayChange
        ? 'Add a domain that you own, and publish the TXT record that appears then. This also adds it to the assets.'
        : 'Members of the organization can add a domain.'}
    </p>
  </section>
);

function DomainCard({ organizationId, domain, mayChange, mayDelete }: DomainsPageProps & { domain: Domain }): VNode {
  const { id, value, verified, lastLookup, lastResult } = domain;
  const base = `${domainsUrl(organizationId)}/${id}`;
  return (
    <section class="card" aria-labelledby={`domain-${id}`}>
      <h2 id={`domain-${id}`} dir="auto">
        {value}
      </h2>
      <p>
        <VerdictBadge verdict={verified ? 'verified' : 'not_verified'} />
        {lastLookup !== null && (
          <span class="muted">
            {' '}
            last checked <Time at={lastLookup} />
          </span>
        )}
      </p>
      {lastResult !== null && <p dir="auto">{lastResult}</p>}
      {verified ? (
        <p class="muted">Keep the record: without it the domain loses its verification after some days.</p>
      ) : (
        <Record domain={domain} />
      )}
      <div class="actions">
        {mayChange && (
          <Form action={`${base}/verify`}>
            <button>Check now</button>
          </Form>
        )}
        {verified && <a href={scansUrl(organizationId)}>Scan a URL of it</a>}
        {mayDelete && (
          <Panel label="Delete" of={value} action={`${base}/delete`}>
            <p>Hosts of this domain can then not be tested. Assets and findings stay.</p>
            <button class="danger">Delete {value}</button>
          </Panel>
        )}
      </div>
    </section>
  );
}

const Record = ({ domain: { id, value, verificationToken } }: { domain: Domain }): VNode => (
  <>
    <p>
      Publish this TXT record at <code dir="ltr">{challengeNames(value)[0]}</code> or at <code dir="ltr">{value}</code>{' '}
      itself, and do not remove it. Assay also looks for it from time to time.
    </p>
    <CopyBlock id={`record-${id}`} label={`TXT record of ${value}`} text={verificationTxtRecord(verificationToken)} />
  </>
);
