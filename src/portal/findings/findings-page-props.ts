import type { Page, Slice } from '../../kernel/page';
import type { Belief, FindingGroup, FindingStatus, ListedFinding, SavedView } from '../../modules/findings';
import type { BeaconName, RetestSummary } from '../../modules/retests';
import type { OwnerOption } from '../frame/owner-select';
import type { ColumnName } from './findings-columns.requests';
import type { FindingsQuery } from './findings.requests';

/** A row of the list: a finding, or the first finding of a group, for all of them. */
export interface FindingOfList extends ListedFinding {
  readonly group?: FindingGroup;
  /** It is shown below the row of its group. */
  readonly isOfGroup?: boolean;
}

/** The group whose findings are among the rows. */
export interface OpenedGroup {
  readonly key: number;
  readonly part: number;
  readonly shown: number;
  readonly isLast: boolean;
}

export interface ListOfRows {
  readonly slice: Slice<ListedFinding>;
  readonly rows: readonly FindingOfList[];
  readonly isGrouped: boolean;
  readonly opened: OpenedGroup | undefined;
}

export interface FindingsPageProps extends ListOfRows {
  readonly organizationId: number;
  readonly query: FindingsQuery;
  readonly page: Page;
  /** Of all findings of the organization. */
  readonly counts: ReadonlyMap<FindingStatus, number>;
  /** Of the findings of the list with any belief; none in a search. */
  readonly beliefs: ReadonlyMap<Belief, number>;
  readonly lastRetests: ReadonlyMap<number, RetestSummary>;
  readonly views: readonly SavedView[];
  /** The names of the members who can be assigned, and of those who are, by id. */
  readonly people: ReadonlyMap<number, string>;
  readonly assignable: ReadonlyMap<number, string>;
  readonly owners: readonly OwnerOption[];
  /** Those that findings of the page are behind, by id. */
  readonly beacons: ReadonlyMap<number, BeaconName>;
  readonly shownColumns: ReadonlySet<ColumnName>;
  readonly isCompact: boolean;
  /** A script shows the list again after a change of the filters, which stay open. */
  readonly isFiltering: boolean;
  readonly mayChange: boolean;
  readonly mayDecide: boolean;
  readonly url: string;
}
