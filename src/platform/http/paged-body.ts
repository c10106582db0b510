import type { Page } from '../../kernel/page';

/** One page of a list: the response body, and the data for the `Link` header. */
export class PagedBody<T = unknown> {
  constructor(
    readonly body: T,
    readonly page: Page,
    readonly more: boolean,
    /** Whether the list is sorted by id, newest first. Then the first record of the first page bounds all pages. */
    readonly isById = true,
  ) {}
}

/** The id of the first record, if the body has exactly one list. */
function newestOf(body: unknown): number | string | undefined {
  const lists = Object.values(body as object).filter((value) => Array.isArray(value));
  const first: unknown = lists.length === 1 ? lists[0]?.[0] : undefined;
  const id = (first as { id?: unknown } | undefined)?.id;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}

/** RFC 8288: links to the previous and the next page. All other parameters are unchanged. */
export function linkHeader(
  { body, page: { page, until }, more, isById }: PagedBody,
  originalUrl: string,
  basePath: string,
): string | undefined {
  const question = originalUrl.indexOf('?');
  const path = question < 0 ? originalUrl : originalUrl.slice(0, question);
  const anchor = until ?? (isById && page === 1 ? newestOf(body) : undefined);
  const to = (number: number, relation: string): string => {
    const parameters = new URLSearchParams(question < 0 ? '' : originalUrl.slice(question + 1));
    parameters.set('page', String(number));
    if (anchor !== undefined) parameters.set('until', String(anchor));
    return `<${basePath}${path}?${parameters.toString()}>; rel="${relation}"`;
  };
  const links = [...(more ? [to(page + 1, 'next')] : []), ...(page > 1 ? [to(page - 1, 'prev')] : [])];
  return links.length === 0 ? undefined : links.join(', ');
}
