import { type Severity, SEVERITIES } from '../../../kernel/severity';
import { Flag, Id, Integer, OneOf, SingleLineText } from '../../../platform/http/fields';
import { Label, normalizeLabel } from '../../findings';
import type { FeedFilter } from '../domain/feed-rule';
import { FILTERED_TYPES, typesNamed } from '../domain/entry-types';

const MAX_POSITION = 9_999_999_999;
const MAX_WAIT_SECONDS = 30;
const DEFAULT_LIMIT = 100;

export class ReadFeedQuery {
  @Integer(0, MAX_POSITION, {
    optional: true,
    description:
      'The entries after this position, which is `next_after` of the last answer. By default from the oldest entry.',
  })
  after?: number;

  @Integer(1, 1_000, { optional: true, description: 'The most entries.', default: DEFAULT_LIMIT })
  limit?: number;

  @Integer(0, MAX_WAIT_SECONDS, {
    optional: true,
    description: 'For how many seconds to wait for an entry if there is none.',
    default: 0,
  })
  wait?: number;

  @OneOf(FILTERED_TYPES, { optional: true, description: 'Only entries of this type, or of this kind of record.' })
  type?: string;

  @OneOf(SEVERITIES, {
    optional: true,
    description: 'Only entries of findings and retests of at least this severity, or that had it before.',
  })
  severity?: Severity;

  @SingleLineText(50, { optional: true, description: 'Only entries of records that have this status since.' })
  status?: string;

  @Id({ optional: true, description: 'Only entries of this event, its findings, retests, jobs, imports and reports.' })
  event?: number;

  @Label({ optional: true, description: 'Only entries of findings, retests and assets with this label.' })
  label?: string;

  @Flag({ optional: true, description: 'With `true`, only entries of findings that a check has confirmed.' })
  confirmed?: boolean;

  get filter(): FeedFilter {
    return {
      types: this.type === undefined ? undefined : typesNamed(this.type),
      severities: this.severity && SEVERITIES.slice(SEVERITIES.indexOf(this.severity)),
      statuses: this.status === undefined ? undefined : [this.status],
      eventIds: this.event === undefined ? undefined : [this.event],
      labels: this.label === undefined ? undefined : [normalizeLabel(this.label)],
      confirmed: this.confirmed,
    };
  }

  get most(): number {
    return this.limit ?? DEFAULT_LIMIT;
  }
}
