import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import type { Webhook } from '../../modules/webhooks';
import { Pager } from '../frame/pager';
import { Settings } from '../frame/settings-tabs';
import { Table } from '../frame/table';
import { webhookUrl } from '../urls';
import { filterText, stateText } from './webhook-words';

interface WebhooksPageProps {
  readonly organizationId: number;
  readonly slice: Slice<Webhook>;
  readonly page: Page;
  readonly url: string;
}

export const WebhooksPage = ({ organizationId, slice, page, url }: WebhooksPageProps): VNode => (
  <Settings current="webhooks">
    {slice.items.length === 0 ? (
      <section class="empty">
        <h2>No webhooks yet</h2>
        <p>A webhook sends every change that you choose to a program of yours, signed and in order.</p>
      </section>
    ) : (
      <Table
        rows={slice.items}
        columns={[
          {
            label: 'Webhook',
            class: 'main wide',
            dir: 'auto',
            cell: ({ id, name }) => <a href={webhookUrl(organizationId, id)}>{name}</a>,
          },
          { label: 'Receiver', cell: ({ url: receiver }) => new URL(receiver).host },
          { label: 'Sends', dir: 'auto', cell: filterText },
          { label: 'State', class: 'nowrap', cell: stateText },
        ]}
      />
    )}
    <Pager page={page} slice={slice} url={url} />
  </Settings>
);
