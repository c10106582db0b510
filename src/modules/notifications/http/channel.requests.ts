import { MAX_WINDOWS } from '../../../kernel/opening-windows';
import { stated } from '../../../kernel/stated';
import { MAX_URL_LENGTH } from '../../../kernel/web-url';
import { Integer, ListOf, Name, OneOf, SingleLineText } from '../../../platform/http/fields';
import { idsOf } from '../../../platform/http/ids-of';
import { DESTINATION_STATES, type DestinationState, FeedRuleRequest } from '../../feed';
import type { ChannelChange, ChannelDraft } from '../channels.service';
import { CHANNEL_KINDS, type ChannelKind, type Digest, DIGESTS } from '../domain/channel-vocabulary';

export const MAX_HOURLY = 100;
const MAX_RECIPIENTS = 50;
const MAX_WINDOW_LENGTH = 100;
const DEFAULT_HOURLY = 20;
const DEFAULT_HOUR = 9;

const isWindow = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_WINDOW_LENGTH;

class ChannelSettingsRequest extends FeedRuleRequest {
  @SingleLineText(MAX_URL_LENGTH, {
    optional: true,
    description: 'The incoming webhook of Slack or Teams. It is never shown again.',
    example: 'https://hooks.slack.com/services/T000/B000/XXXX',
  })
  url?: string;

  @ListOf(idsOf('a member'), 0, MAX_RECIPIENTS, {
    optional: true,
    description: 'For mail: users who are members of the organization.',
    default: [],
  })
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

  @OneOf(DESTINATION_STATES, { optional: true, description: 'A paused channel sends nothing but tests.' })
  state?: DestinationState;
}

export const draftOf = (body: CreateChannelRequest): ChannelDraft => ({
  name: body.name,
  kind: body.kind,
  recipients: [],
  quiet: [],
  digest: 'off',
  digestHour: DEFAULT_HOUR,
  timeZone: 'UTC',
  hourlyLimit: DEFAULT_HOURLY,
  ...body.rule,
  ...settingsOf(body),
});

/** Omitted fields do not change. */
export const changeOf = (body: ChangeChannelRequest): ChannelChange => ({
  ...stated({ name: body.name, state: body.state }),
  ...body.ruleChange,
  ...settingsOf(body),
});

const settingsOf = (body: ChannelSettingsRequest) =>
  stated({
    url: body.url,
    recipients: body.recipients,
    quiet: body.quiet,
    digest: body.digest,
    digestHour: body.digest_hour,
    timeZone: body.time_zone,
    hourlyLimit: body.hourly_limit,
  });
