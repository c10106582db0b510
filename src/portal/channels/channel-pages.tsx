import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import type { Event } from '../../modules/events';
import { type Channel, CHANNEL_PAUSES } from '../../modules/notifications';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { Form } from '../frame/form';
import { Pager } from '../frame/pager';
import { Panel } from '../frame/panel';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { channelUrl } from '../urls';
import { ChannelFields, DIGEST_LABELS, KIND_LABELS } from './channel-form';

interface ChannelsPageProps {
  readonly organizationId: number;
  readonly slice: Slice<Channel>;
  readonly page: Page;
  readonly url: string;
}

const stateText = ({ state, failingSince }: Channel): string =>
  state === 'paused' ? 'Paused' : failingSince === null ? 'Active' : 'Failing';

export const ChannelsPage = ({ organizationId, slice, page, url }: ChannelsPageProps): VNode => (
  <>
    {slice.items.length === 0 ? (
      <section class="empty">
        <h2>No channels yet</h2>
        <p>A channel tells changes that you choose in Slack, in Microsoft Teams or by mail.</p>
      </section>
    ) : (
      <Table
        rows={slice.items}
        columns={[
          {
            label: 'Channel',
            class: 'main wide',
            dir: 'auto',
            cell: ({ id, name }) => <a href={channelUrl(organizationId, id)}>{name}</a>,
          },
          { label: 'Where', class: 'nowrap', cell: ({ kind }) => KIND_LABELS[kind] },
          { label: 'How often', cell: ({ digest }) => DIGEST_LABELS[digest] },
          { label: 'State', class: 'nowrap', cell: stateText },
        ]}
      />
    )}
    <Pager page={page} slice={slice} url={url} />
  </>
);

interface ChannelPageProps {
  readonly channel: Channel;
  readonly events: readonly Event[];
  readonly addresses: readonly string[];
  readonly timeZone: string;
}

export function ChannelPage({ channel, ...fields }: ChannelPageProps): VNode {
  const url = channelUrl(channel.organizationId, channel.id);
  const next = channel.state === 'paused' ? 'resume' : 'pause';
  return (
    <div class="settings">
      <Card id="channel" title="State" class="narrow-left">
        {channel.pauseReason !== null && <p class="form-error">Paused. {CHANNEL_PAUSES[channel.pauseReason]}</p>}
        <dl class="facts">
          <Fact label="Where">{KIND_LABELS[channel.kind]}</Fact>
          <Fact label="State">{stateText(channel)}</Fact>
          <Fact label="Last message">{channel.lastSent === null ? 'None yet' : <Time at={channel.lastSent} />}</Fact>
          {channel.lastError !== null && <Fact label="Last error">{channel.lastError.replaceAll('_', ' ')}</Fact>}
        </dl>
        <div class="actions">
          <Form action={`${url}/test`}>
            <button>Send a test</button>
          </Form>
          <Form action={`${url}/${next}`}>
            <button>{next === 'resume' ? 'Resume' : 'Pause'}</button>
          </Form>
          <Panel label="Delete" action={`${url}/delete`}>
            <p>What waits in it is not sent.</p>
            <button class="danger">Delete the channel</button>
          </Panel>
        </div>
      </Card>
      <Card id="edit" title="Change" class="narrow-left">
        <Form action={url}>
          <ChannelFields channel={channel} {...fields} />
          <button class="primary">Save</button>
        </Form>
      </Card>
    </div>
  );
}
