import type { Page } from '../../kernel/page';
import { Id, Integer, Uuid } from './fields';

/** So that `page` times `per_page` is an int4. */
const MAX_PAGE = 21_474_836;

/** `page` and `per_page`, the same everywhere except for the default of `per_page`. */
export function PageQueryOf(perPage: number) {
  class PagedQuery {
    @Integer(1, MAX_PAGE, { optional: true, description: 'The number of the page, from 1.', default: 1 })
    page?: number;

    @Integer(1, 100, { optional: true, description: 'The number of records on a page.', default: perPage })
    per_page?: number;

    get slice(): Page {
      return { page: this.page ?? 1, perPage: this.per_page ?? perPage };
    }
  }
  return PagedQuery;
}

const UNTIL_DESCRIPTION =
  'Only records with ids up to this one. The links to other pages contain it, so that new records do not move records between pages.';

/** For lists of records with integer ids. */
export function RecordsQueryOf(perPage: number) {
  class RecordsQuery extends PageQueryOf(perPage) {
    @Id({ optional: true, description: UNTIL_DESCRIPTION })
    until?: number;

    override get slice(): Page {
      return { ...super.slice, until: this.until };
    }
  }
  return RecordsQuery;
}

/** For lists of records whose ids are UUIDs in the order of time. */
export class TimelineQuery extends PageQueryOf(20) {
  @Uuid({ optional: true, description: UNTIL_DESCRIPTION })
  until?: string;

  override get slice(): Page {
    return { ...super.slice, until: this.until };
  }
}

/** For lists of records without an id. */
export class PlainPageQuery extends PageQueryOf(20) {}

export class PageQuery extends RecordsQueryOf(20) {}
