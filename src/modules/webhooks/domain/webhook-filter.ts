import { type Severity, SEVERITIES } from '../../../kernel/severity';
import { typesNamed } from '../../feed/domain/entry-types';
import type { FeedFilter } from '../../feed';

/** Which entries of the feed are sent. An empty list stands for all. */
export interface WebhookFilter {
  /** Types, or kinds of records. */
  readonly types: readonly string[];
  /** At least this one. */
  readonly severity: Severity | null;
  readonly statuses: readonly string[];
  readonly eventIds: readonly number[];
  readonly labels: readonly string[];
  /** Only findings that a check has confirmed. */
  readonly confirmed: boolean;
}

const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

export const feedFilterOf = ({
  types,
  severity,
  statuses,
  eventIds,
  labels,
  confirmed,
}: WebhookFilter): FeedFilter => ({
  types: unlessEmpty(types.flatMap(typesNamed)),
  severities: severity === null ? undefined : SEVERITIES.slice(SEVERITIES.indexOf(severity)),
  statuses: unlessEmpty(statuses),
  eventIds: unlessEmpty(eventIds),
  labels: unlessEmpty(labels),
  confirmed,
});
