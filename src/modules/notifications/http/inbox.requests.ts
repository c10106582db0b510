import { Flag, Integer } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';

export class InboxQuery extends PageQuery {
  @Flag({ optional: true, description: 'Only entries that are not read.', default: false })
  unread?: boolean;
}

export class MarkReadRequest {
  @Integer(1, Number.MAX_SAFE_INTEGER, { optional: true, description: 'This entry alone.' })
  id?: number;

  @Integer(1, Number.MAX_SAFE_INTEGER, {
    optional: true,
    description: 'The newest entry that was shown. Later ones stay unread.',
  })
  up_to?: number;
}
