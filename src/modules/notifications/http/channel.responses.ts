import { type Severity, SEVERITIES } from '../../../kernel/severity';
import { ResponseField } from '../../../platform/api/response-field';
import type { Channel } from '../data/channel.entity';
import {
  CHANNEL_KINDS,
  CHANNEL_PAUSES,
  CHANNEL_STATES,
  type ChannelKind,
  type ChannelPause,
  type ChannelState,
  type Digest,
  DIGESTS,
} from '../domain/channel-vocabulary';

export class ChannelResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.integer()
  organization_id!: number;

  @ResponseField.string()
  name!: string;

  @ResponseField.string({ enum: CHANNEL_KINDS })
  kind!: ChannelKind;

  @ResponseField.integers()
  recipients!: number[];

  @ResponseField.strings({ description: 'Types of entries, or kinds of records. Empty: all.' })
  types!: string[];

  @ResponseField.string({ nullable: true, enum: SEVERITIES })
  severity!: Severity | null;

  @ResponseField.strings()
  statuses!: string[];

  @ResponseField.integers()
  events!: number[];

  @ResponseField.strings()
  labels!: string[];

  @ResponseField.boolean()
  confirmed!: boolean;

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

  @ResponseField.string({ enum: CHANNEL_STATES })
  state!: ChannelState;

  @ResponseField.string({ nullable: true, enum: Object.keys(CHANNEL_PAUSES) })
  pause_reason!: ChannelPause | null;

  @ResponseField.instant({ nullable: true, description: 'When its receiver accepted a message last.' })
  last_sent!: Date | null;

  @ResponseField.string({ nullable: true, description: 'Why the last attempt failed; null if it did not.' })
  last_error!: string | null;

  @ResponseField.integer({
    description: 'The user who saved it last. It is paused when that user is no longer an admin.',
  })
  maker_id!: number;

  @ResponseField.instant()
  created!: Date;
}

export class ChannelListResponse {
  @ResponseField.list(ChannelResponse)
  channels!: ChannelResponse[];
}

/** The URL is a credential, and is not shown. */
export const presentChannel = (channel: Channel): ChannelResponse => ({
  id: channel.id,
  organization_id: channel.organizationId,
  name: channel.name,
  kind: channel.kind,
  recipients: channel.recipients,
  types: channel.types,
  severity: channel.severity,
  statuses: channel.statuses,
  events: channel.eventIds,
  labels: channel.labels,
  confirmed: channel.confirmed,
  quiet: channel.quiet,
  digest: channel.digest,
  digest_hour: channel.digestHour,
  time_zone: channel.timeZone,
  hourly_limit: channel.hourlyLimit,
  state: channel.state,
  pause_reason: channel.pauseReason,
  last_sent: channel.lastSent,
  last_error: channel.lastError,
  maker_id: channel.makerId,
  created: channel.created,
});

export const channelExample = {
  id: 3,
  organization_id: 7,
  name: 'Security',
  kind: 'slack',
  recipients: [],
  types: ['finding', 'retest'],
  severity: 'high',
  statuses: [],
  events: [],
  labels: [],
  confirmed: true,
  quiet: ['Mo-Su 20:00-06:00 Europe/Lisbon'],
  digest: 'off',
  digest_hour: 9,
  time_zone: 'Europe/Lisbon',
  hourly_limit: 20,
  state: 'active',
  pause_reason: null,
  last_sent: '2026-01-31T12:00:02.000Z',
  last_error: null,
  maker_id: 12,
  created: '2026-01-31T12:00:00.000Z',
};
