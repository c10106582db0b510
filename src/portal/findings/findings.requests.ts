import type { Page } from '../../kernel/page';
import { idIn, ListFindingsQuery } from '../../modules/findings';
import { RequestPipe } from '../../platform/http/request-pipe';
import { FINDINGS_PARAMETERS, type FindingsParameters, queryStringOf } from '../urls';

const PER_PAGE = 50;

/** The filters, the order and the page of the list, as the API names them. */
export class FindingsQuery extends ListFindingsQuery {
  override get slice(): Page {
    return { ...super.slice, perPage: this.per_page ?? PER_PAGE, isCounted: 'unless slow' };
  }

  get parameters(): FindingsParameters {
    const given = FINDINGS_PARAMETERS.filter((name) => this[name] !== undefined);
    return Object.fromEntries(given.map((name) => [name, this[name]]));
  }

  /** The id of the finding that is searched for, if nothing else is. */
  get searchedId(): number | undefined {
    const { q, ...others } = this.parameters;
    return q === undefined || Object.keys(others).length > 0 ? undefined : idIn(q);
  }

  /** Filters that the counts of the tabs do not have. */
  get isFiltered(): boolean {
    const { status: _status, sort: _sort, ...filters } = this.parameters;
    return Object.values(filters).some((value) => value !== undefined);
  }
}

/** The same string for the same filters. Throws if one of them is not valid; leaves out parameters that are no filters. */
export async function canonicalQuery(text: string): Promise<string> {
  const known = [...new URLSearchParams(text)].filter(
    ([name, value]) => value !== '' && FINDINGS_PARAMETERS.some((parameter) => parameter === name),
  );
  const query = await new RequestPipe().transform(Object.fromEntries(known), {
    type: 'query',
    metatype: FindingsQuery,
  });
  return queryStringOf((query as FindingsQuery).parameters);
}
