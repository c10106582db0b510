import { Flag, Integer, ListOf } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';

const MAX_ID = Number.MAX_SAFE_INTEGER;

export class InboxQuery extends PageQuery {
  @Flag({ optional: true, description: 'Only entries that are not read.', default: false })
  unread?: boolean;
}

export class MarkReadRequest {
  @ListOf(
    {
      check: (id) => Number.isSafeInteger(id) && Number(id) >= 1,
      sentence: 'is the id of an entry',
      items: { type: 'integer', minimum: 1, maximum: MAX_ID },
    },
    1,
    1_000,
    { optional: true },
  )
  ids?: number[];

  @Integer(1, MAX_ID, { optional: true, description: 'The newest entry that was shown. Later ones stay unread.' })
  up_to?: number;
}
