import { type Severity, SEVERITIES } from '../../../kernel/severity';
import { typesNamed } from './entry-types';

/** Which entries of the feed a destination gets. An empty list stands for all. */
export interface FeedRule {
  /** Types, or kinds of records. */
  types: string[];
  /** At least this one. */
  severity: Severity | null;
  statuses: string[];
  eventIds: number[];
  labels: string[];
  /** Only findings that a check has confirmed. */
  confirmed: boolean;
  /** Only entries about assets of this owner: a member or a group. */
  owner: string | null;
}

/** An entry matches if it has one of the values of each list. A list that is left out matches every entry. */
export interface FeedFilter {
  readonly types?: readonly string[];
  /** Also matches a change from one of these severities. */
  readonly severities?: readonly string[];
  readonly statuses?: readonly string[];
  readonly eventIds?: readonly number[];
  readonly labels?: readonly string[];
  /** With true, only entries of findings that a check has confirmed. */
  readonly confirmed?: boolean;
  readonly owner?: string | undefined;
  /** With true, entries that only say that work waits or runs are left out. */
  readonly withoutProgress?: boolean;
}

export const anyEntry = (): FeedRule => ({
  types: [],
  severity: null,
  statuses: [],
  eventIds: [],
  labels: [],
  confirmed: false,
  owner: null,
});

const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

export const feedFilterOf = ({
  types,
  severity,
  statuses,
  eventIds,
  labels,
  confirmed,
  owner,
}: FeedRule): FeedFilter => ({
  types: unlessEmpty(types.flatMap(typesNamed)),
  severities: severity === null ? undefined : SEVERITIES.slice(SEVERITIES.indexOf(severity)),
  statuses: unlessEmpty(statuses),
  eventIds: unlessEmpty(eventIds),
  labels: unlessEmpty(labels),
  confirmed,
  owner: owner ?? undefined,
});
