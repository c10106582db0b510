import type { Page } from '../../kernel/page';
import { ListFindingsQuery } from '../../modules/findings';
import { RequestPipe } from '../../platform/http/request-pipe';

const PER_PAGE = 50;

/** What the links of the list keep or change. */
export type FindingsParameters = Partial<Pick<ListFindingsQuery, (typeof PARAMETERS)[number]>>;

const PARAMETERS = [
  'status',
  'severity',
  'asset_id',
  'assignee',
  'label',
  'check',
  'overdue',
  'due_before',
  'cwe',
  'kev',
  'epss_min',
  'merged_into',
  'q',
  'sort',
] as const;

/** The filters, the order and the page of the list, as the API names them. */
export class FindingsQuery extends ListFindingsQuery {
  override get slice(): Page {
    return { ...super.slice, perPage: this.per_page ?? PER_PAGE, isCounted: true };
  }

  get parameters(): FindingsParameters {
    return Object.fromEntries(PARAMETERS.map((name) => [name, this[name]]));
  }

  /** Filters that the counts of the tabs do not have. */
  get isFiltered(): boolean {
    const { status: _status, sort: _sort, ...filters } = this.parameters;
    return Object.values(filters).some((value) => value !== undefined);
  }
}

/** The parameters as a query string, in a fixed order. */
export function queryStringOf(parameters: FindingsParameters): string {
  const given = PARAMETERS.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [[name, String(value)]];
  });
  return new URLSearchParams(given).toString();
}

/** The same string for the same filters. Throws if one of them is not valid; leaves out parameters that are no filters. */
export async function canonicalQuery(text: string): Promise<string> {
  const known = [...new URLSearchParams(text)].filter(
    ([name, value]) => value !== '' && PARAMETERS.some((parameter) => parameter === name),
  );
  const query = await new RequestPipe().transform(Object.fromEntries(known), {
    type: 'query',
    metatype: FindingsQuery,
  });
  return queryStringOf((query as FindingsQuery).parameters);
}
