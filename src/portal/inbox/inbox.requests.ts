import { Flag, Integer } from '../../platform/http/fields';
import { PageQuery } from '../../platform/http/page-query';

export class InboxPageQuery extends PageQuery {
  @Flag({ optional: true })
  unread = false;
}

/** One entry, or all up to one. */
export class MarkReadForm {
  @Integer(1, Number.MAX_SAFE_INTEGER, { optional: true })
  id?: number;

  @Integer(1, Number.MAX_SAFE_INTEGER, { optional: true })
  up_to?: number;

  /** Of the list that it leads back to. */
  @Flag({ optional: true })
  unread = false;
}
