import { presented, ResponseField } from '../../../platform/api/response-field';
import { destinationExample, DestinationResponse } from '../../feed';
import type { Channel } from '../data/channel.entity';
import {
  CHANNEL_KINDS,
  CHANNEL_PAUSES,
  type ChannelKind,
  type ChannelPause,
  type Digest,
  DIGESTS,
} from '../domain/channel-vocabulary';

export class ChannelResponse extends DestinationResponse {
  @ResponseField.string({ enum: CHANNEL_KINDS })
  kind!: ChannelKind;

  @ResponseField.integers()
  recipients!: number[];

  @ResponseField.strings()
  quiet!: string[];

  @ResponseField.string({ enum: DIGESTS })
  digest!: Digest;

  @ResponseField.integer()
  digest_hour!: number;

  @ResponseField.string()
  time_zone!: string;

  @ResponseField.integer()
  hourly_limit!: number;

  @ResponseField.string({ nullable: true, enum: Object.keys(CHANNEL_PAUSES) })
  pause_reason!: ChannelPause | null;

  @ResponseField.instant({ nullable: true, description: 'When its receiver accepted a message last.' })
  last_sent!: string | null;

  @ResponseField.string({
    nullable: true,
    description: 'Why the last attempt, or its whole message, failed; null if it did not.',
  })
  last_error!: string | null;
}

export class ChannelListResponse {
  @ResponseField.list(ChannelResponse)
  channels!: ChannelResponse[];
}

/** The URL is a credential, and is not shown. */
export const presentChannel = (channel: Channel): ChannelResponse =>
  presented(ChannelResponse, channel, { events: channel.eventIds });

export const channelExample = {
  ...destinationExample,
  name: 'Security',
  kind: 'slack',
  recipients: [],
  quiet: ['Mo-Su 20:00-06:00 Europe/Lisbon'],
  digest: 'off',
  digest_hour: 9,
  time_zone: 'Europe/Lisbon',
  hourly_limit: 20,
  last_sent: '2026-01-31T12:00:02.000Z',
  last_error: null,
};
