import type { Entry } from '../../modules/feed';

export interface Activity {
  readonly organizationId: number;
  readonly entries: readonly Entry[];
  /** The values of the assets that the entries name, by id. */
  readonly assets: ReadonlyMap<number, string>;
}
