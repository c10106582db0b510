import type { VNode } from 'preact';
import type { FilterChoices } from '../destinations/destination-pages';
import { type Channel, CHANNEL_PAUSES } from '../../modules/notifications';
import { stateText } from '../destinations/destination-pages';
import { Card } from '../frame/card';
import { Fact } from '../frame/fact';
import { Form } from '../frame/form';
import { Panel } from '../frame/panel';
import { Time } from '../frame/time';
import { destinationUrl } from '../urls';
import { ChannelFields, KIND_LABELS } from './channel-form';

interface ChannelPageProps {
  readonly channel: Channel;
  readonly choices: FilterChoices;
  readonly addresses: readonly string[];
  readonly timeZone: string;
}

export function ChannelPage({ channel, ...fields }: ChannelPageProps): VNode {
  const url = destinationUrl('channel', channel.organizationId, channel.id);
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
