import { MAX_WINDOWS } from '../../../kernel/opening-windows';
import { MAX_URL_LENGTH } from '../../../kernel/web-url';
import { Integer, ListOf, Name, OneOf, SingleLineText } from '../../../platform/http/fields';
import { normalizeLabels } from '../../findings';
import { WebhookFilterRequest } from '../../webhooks';
import type { ChannelChange, ChannelDraft } from '../channels.service';
import {
  CHANNEL_KINDS,
  CHANNEL_STATES,
  type ChannelKind,
  type ChannelState,
  type Digest,
  DIGESTS,
} from '../domain/channel-vocabulary';

export const MAX_HOURLY = 100;
const MAX_RECIPIENTS = 50;
const MAX_ID = 2_147_483_647;
const MAX_WINDOW_LENGTH = 100;
const DEFAULT_HOURLY = 20;
const DEFAULT_HOUR = 9;

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MAX_ID;
const isWindow = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_WINDOW_LENGTH;

/** The filters are those of webhooks. */
class ChannelSettingsRequest extends WebhookFilterRequest {
  @SingleLineText(MAX_URL_LENGTH, {
    optional: true,
    description: 'The incoming webhook of Slack or Teams. It is never shown again.',
    example: 'https://hooks.slack.com/services/T000/B000/XXXX',
  })
  url?: string;

  @ListOf(
    {
      check: isId,
      sentence: 'is the id of a member',
      items: { type: 'integer', minimum: 1, maximum: MAX_ID },
      unique: true,
    },
    0,
    MAX_RECIPIENTS,
    { optional: true, description: 'For mail: users who are members of the organization.', default: [] },
  )
  recipients?: number[];

  @ListOf(
    {
      check: isWindow,
      sentence: 'is a text such as "Mo-Fr 20:00-06:00 Europe/Lisbon"',
      items: { type: 'string', maxLength: MAX_WINDOW_LENGTH },
    },
    0,
    MAX_WINDOWS,
    {
      optional: true,
      description: 'Quiet hours: windows such as `Mo-Fr 20:00-06:00 Europe/Lisbon`. Messages wait until they end.',
      default: [],
    },
  )
  quiet?: string[];

  @OneOf(DIGESTS, { optional: true, description: 'weekly: on Mondays.', default: 'off' })
  digest?: Digest;

  @Integer(0, 23, { optional: true, description: 'Of a digest, by the clocks of `time_zone`.', default: DEFAULT_HOUR })
  digest_hour?: number;

  @SingleLineText(64, { optional: true, description: 'Of the IANA database, for `digest_hour`.', default: 'UTC' })
  time_zone?: string;

  @Integer(1, MAX_HOURLY, {
    optional: true,
    description: 'The most messages in an hour. All later changes are one message at its end.',
    default: DEFAULT_HOURLY,
  })
  hourly_limit?: number;
}

export class CreateChannelRequest extends ChannelSettingsRequest {
  @Name()
  name!: string;

  @OneOf(CHANNEL_KINDS, { description: 'slack and teams need `url`, mail needs `recipients`.' })
  kind!: ChannelKind;
}

export class ChangeChannelRequest extends ChannelSettingsRequest {
  @Name(200, { optional: true })
  name?: string;

  @OneOf(CHANNEL_STATES, { optional: true, description: 'A paused channel sends nothing but tests.' })
  state?: ChannelState;
}

export const draftOf = (body: CreateChannelRequest): ChannelDraft => ({
  name: body.name,
  kind: body.kind,
  ...(body.url !== undefined && { url: body.url }),
  recipients: body.recipients ?? [],
  types: body.types ?? [],
  severity: body.severity ?? null,
  statuses: body.statuses ?? [],
  eventIds: body.events ?? [],
  labels: normalizeLabels(body.labels ?? []),
  confirmed: body.confirmed ?? false,
  quiet: body.quiet ?? [],
  digest: body.digest ?? 'off',
  digestHour: body.digest_hour ?? DEFAULT_HOUR,
  timeZone: body.time_zone ?? 'UTC',
  hourlyLimit: body.hourly_limit ?? DEFAULT_HOURLY,
});

/** Omitted fields do not change, and null removes the severity. */
export function changeOf(body: ChangeChannelRequest): ChannelChange {
  const stated: { [Field in keyof ChannelChange]: ChannelChange[Field] | undefined } = {
    name: body.name,
    url: body.url,
    recipients: body.recipients,
    types: body.types,
    severity: body.severity,
    statuses: body.statuses,
    eventIds: body.events,
    labels: body.labels && normalizeLabels(body.labels),
    confirmed: body.confirmed,
    quiet: body.quiet,
    digest: body.digest,
    digestHour: body.digest_hour,
    timeZone: body.time_zone,
    hourlyLimit: body.hourly_limit,
    state: body.state,
  };
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
}
