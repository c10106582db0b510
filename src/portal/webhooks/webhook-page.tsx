import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import type { FilterChoices } from '../destinations/destination-pages';
import {
  DELIVERY_STATES,
  type DeliveryState,
  type Webhook,
  type WebhookDelivery,
  type WebhookWithSecret,
} from '../../modules/webhooks';
import { stateText } from '../destinations/destination-pages';
import { VerdictBadge } from '../frame/badges';
import { Card } from '../frame/card';
import { CopyBlock } from '../frame/copy-block';
import { Fact } from '../frame/fact';
import { Field, Form, Select } from '../frame/form';
import { OverlapSelect } from '../frame/overlap-select';
import { Pager } from '../frame/pager';
import { Panel } from '../frame/panel';
import { SecretBlock } from '../frame/secret-block';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { destinationsUrl, destinationUrl } from '../urls';
import { WebhookFields } from './webhook-form';
import { adviceOf, filterText, pauseText, resultText, shortRecord } from './webhook-words';

interface WebhookPageProps {
  readonly webhook: Webhook;
  readonly choices: FilterChoices;
  readonly slice: Slice<WebhookDelivery>;
  readonly page: Page;
  readonly url: string;
  /** Of the deliveries that are shown. */
  readonly state?: DeliveryState | undefined;
  readonly withSecret?: WebhookWithSecret | undefined;
}

export function WebhookPage(props: WebhookPageProps): VNode {
  const { webhook, withSecret } = props;
  const isShown = withSecret !== undefined && withSecret.secret !== null;
  return (
    <div class="columns">
      <div>
        {isShown && (
          <SecretBlock id="secret" title={`The secret of ${webhook.name}`} secret={withSecret.secret ?? ''}>
            <p>Give it to the receiver, which verifies the signature of each message with it.</p>
          </SecretBlock>
        )}
        <State webhook={webhook} />
        <Deliveries {...props} />
        <Changes {...props} />
      </div>
      <aside>
        <Details webhook={webhook} />
      </aside>
    </div>
  );
}

function Deliveries({ webhook, slice, page, url, state }: WebhookPageProps): VNode {
  const base = destinationUrl('webhook', webhook.organizationId, webhook.id);
  const advice = adviceOf(slice.items);
  return (
    <Card id="deliveries" title="Deliveries">
      <nav class="tabs" aria-label="Deliveries">
        <a href={base} aria-current={state === undefined ? 'page' : undefined}>
          All
        </a>
        {DELIVERY_STATES.map((one) => (
          <a key={one} href={`${base}?state=${one}`} aria-current={state === one ? 'page' : undefined}>
            {labelOf(one)}
          </a>
        ))}
      </nav>
      {advice !== undefined && <p>{advice}</p>}
      {slice.items.length === 0 ? (
        <p class="muted">Nothing here. Send a test to see whether the receiver accepts messages.</p>
      ) : (
        <DeliveriesTable base={base} deliveries={slice.items} isActive={webhook.state === 'active'} />
      )}
      <Pager page={page} slice={slice} url={url} />
    </Card>
  );
}

interface DeliveriesTableProps {
  readonly base: string;
  readonly deliveries: readonly WebhookDelivery[];
  readonly isActive: boolean;
}

const DeliveriesTable = ({ base, deliveries, isActive }: DeliveriesTableProps): VNode => (
  <Table
    rows={deliveries}
    columns={[
      {
        label: 'Message',
        class: 'main wide',
        cell: ({ type, record, position, messageId }) => (
          <>
            {type}{' '}
            <span class="muted" title={`webhook-id: ${messageId}`}>
              {position === null ? '' : shortRecord(record)}
            </span>
          </>
        ),
      },
      { label: 'State', class: 'nowrap', cell: ({ state }) => <VerdictBadge verdict={state} /> },
      { label: 'Last attempt', cell: resultText },
      {
        label: 'When',
        class: 'muted',
        cell: ({ state, created, ended, nextAttempt }) =>
          state === 'waiting' && nextAttempt !== null ? (
            <>
              next <Time at={nextAttempt} />
            </>
          ) : (
            <Time at={ended ?? created} />
          ),
      },
      {
        label: 'Send again',
        isLabelHidden: true,
        class: 'nowrap',
        cell: ({ messageId, type }) =>
          isActive && (
            <Form action={`${base}/deliveries/${messageId}`}>
              <button>
                Send again<span class="visually-hidden"> {type}</span>
              </button>
            </Form>
          ),
      },
    ]}
  />
);

function Changes({ webhook, choices }: WebhookPageProps): VNode {
  const base = destinationUrl('webhook', webhook.organizationId, webhook.id);
  return (
    <>
      {webhook.state === 'active' && (
        <Panel label="Send a time range again" action={`${base}/redeliver`}>
          <Field name="from" label="From" input={{ type: 'date' }} />
          <Field name="to" label="To" hint="Empty for until now." input={{ type: 'date', required: false }} />
          <Select
            name="state"
            label="Which"
            options={[
              { value: 'failed', label: 'Failed' },
              { value: 'delivered', label: 'Delivered' },
              { value: '', label: 'Both' },
            ]}
          />
          <button>Send again</button>
        </Panel>
      )}
      <Panel label="Change the webhook" action={base}>
        <WebhookFields choices={choices} webhook={webhook} />
        <button>Save</button>
      </Panel>
      <Panel label="Replace the secret" action={`${base}/secret`}>
        <OverlapSelect id="overlap" label="The old secret is valid" />
        <button>Replace</button>
      </Panel>
      <Panel label="Delete the webhook" action={`${base}/delete`}>
        <p>Its deliveries are deleted too.</p>
        <button class="danger">Delete {webhook.name}</button>
      </Panel>
    </>
  );
}

function State({ webhook }: { webhook: Webhook }): VNode {
  const base = destinationUrl('webhook', webhook.organizationId, webhook.id);
  const isPaused = webhook.state === 'paused';
  return (
    <Card id="state" title={stateText(webhook)}>
      {isPaused && <p role="status">{pauseText(webhook)}</p>}
      {webhook.failingSince !== null && (
        <p>
          The receiver has accepted nothing since <Time at={webhook.failingSince} />.
        </p>
      )}
      <div class="actions">
        <Form action={`${base}/test`}>
          <button class={isPaused ? undefined : 'primary'}>Send a test</button>
        </Form>
        <Form action={`${base}/${isPaused ? 'resume' : 'pause'}`}>
          <button class={isPaused ? 'primary' : undefined}>{isPaused ? 'Resume' : 'Pause'}</button>
        </Form>
      </div>
    </Card>
  );
}

const Details = ({ webhook }: { webhook: Webhook }): VNode => (
  <Card id="facts" title="Details">
    <dl class="facts">
      <Fact label="Receiver">{webhook.url}</Fact>
      <Fact label="Sends">{filterText(webhook)}</Fact>
      <Fact label="Signature">{webhook.signature === 'hmac' ? 'HMAC with a shared secret' : 'Ed25519'}</Fact>
      {webhook.previousUntil !== null && (
        <Fact label="Old secret until">
          <Time at={webhook.previousUntil} />
        </Fact>
      )}
    </dl>
    {webhook.publicKey !== null && <CopyBlock id="public-key" label="Public key" text={webhook.publicKey} />}
    <p>
      <a href={destinationsUrl('webhook', webhook.organizationId)}>All webhooks</a>
    </p>
  </Card>
);
