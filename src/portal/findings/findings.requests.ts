import type { Page } from '../../kernel/page';
import { ListFindingsQuery } from '../../modules/findings';

const PER_PAGE = 50;

/** What the links of the list keep or change. */
export type FindingsParameters = Partial<Pick<ListFindingsQuery, 'status' | 'severity' | 'asset_id' | 'q' | 'sort'>>;

/** The filters, the order and the page of the list, as the API names them. */
export class FindingsQuery extends ListFindingsQuery {
  override get slice(): Page {
    return { ...super.slice, perPage: this.per_page ?? PER_PAGE, isCounted: true };
  }

  get parameters(): FindingsParameters {
    const { status, severity, asset_id, q, sort } = this;
    return { status, severity, asset_id, q, sort };
  }
}
