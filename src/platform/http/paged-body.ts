import type { Page } from '../../kernel/page';

/** One page of a list on its way out: what the body says, and what the `Link` header needs to know beside it. */
export class PagedBody<T = unknown> {
  constructor(
    readonly body: T,
    readonly page: Page,
    readonly more: boolean,
    /** Whether the newest come first, so that the first record of the first page bounds all that follow. */
    readonly isById = true,
  ) {}
}

/** The id of the first record of a page that has but one list. */
function newestOf(body: unknown): number | string | undefined {
  const lists = Object.values(body as object).filter((value) => Array.isArray(value));
  const first: unknown = lists.length === 1 ? lists[0]?.[0] : undefined;
  const id = (first as { id?: unknown } | undefined)?.id;
  return typeof id === 'number' || typeof id === 'string' ? id : undefined;
}

/** RFC 8288: where the pages before and after are, with every other parameter as the caller gave it. */
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
