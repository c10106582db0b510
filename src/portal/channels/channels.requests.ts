import { MAX_URL_LENGTH } from '../../kernel/web-url';
import {
  CHANNEL_KINDS,
  type ChannelChange,
  type ChannelDraft,
  type ChannelKind,
  type Digest,
  DIGESTS,
  MAX_HOURLY,
} from '../../modules/notifications';
import { Integer, Name, OneOf, SingleLineText, Text } from '../../platform/http/fields';
import { FilterForm } from '../destinations/destination-filter';

const MAX_TEXT = 4_000;

const linesIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export class ChannelForm extends FilterForm {
  @Name()
  name!: string;

  @OneOf(CHANNEL_KINDS, { optional: true })
  kind?: ChannelKind;

  /** An empty field keeps it. */
  @SingleLineText(MAX_URL_LENGTH, { optional: true })
  url?: string;

  @Text(0, MAX_TEXT, { optional: true })
  recipients?: string;

  @Text(0, MAX_TEXT, { optional: true })
  quiet?: string;

  @OneOf(DIGESTS)
  digest!: Digest;

  @Integer(0, 23)
  digest_hour!: number;

  @SingleLineText(64)
  time_zone!: string;

  @Integer(1, MAX_HOURLY)
  hourly_limit!: number;

  /** The recipients are the ids of the addresses. */
  changeWith(recipients: number[] | undefined): ChannelChange {
    return {
      ...this.filter,
      name: this.name,
      ...(this.url !== undefined && { url: this.url }),
      ...(recipients !== undefined && { recipients }),
      quiet: linesIn(this.quiet),
      digest: this.digest,
      digestHour: this.digest_hour,
      timeZone: this.time_zone,
      hourlyLimit: this.hourly_limit,
    };
  }

  draftWith(recipients: number[]): ChannelDraft {
    const kind = this.kind ?? 'slack';
    return { kind, statuses: [], eventIds: [], ...this.changeWith(recipients) } as ChannelDraft;
  }
}
