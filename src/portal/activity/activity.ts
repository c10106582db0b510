import type { Entry } from '../../modules/feed';
import type { Actor } from '../../platform/api/caller';

export interface Activity {
  readonly organizationId: number;
  readonly entries: readonly Entry[];
  /** The values of the assets that the entries name, by id. */
  readonly assets: ReadonlyMap<number, string>;
  /** The names of the users that the entries name, by id. */
  readonly people: ReadonlyMap<number, string>;
  /** Who did it, by the positions of the entries. */
  readonly actors: ReadonlyMap<number, Actor>;
  /** The retests that are fixed because a refusal counts as the fix, by uuid. */
  readonly byRefusal?: ReadonlySet<string>;
  /** Before which the next page begins; null if it is the last one. */
  readonly before: number | null;
}
