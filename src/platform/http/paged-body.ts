import type { Page } from '../../kernel/page';

/** One page of a list on its way out: what the body says, and what the `Link` header needs to know beside it. */
export class PagedBody<T = unknown> {
  constructor(
    readonly body: T,
    readonly page: Page,
    readonly more: boolean,
  ) {}
}

/** RFC 8288: where the pages before and after are, with every other parameter as the caller gave it. */
export function linkHeader(
  { page: { page }, more }: PagedBody,
  originalUrl: string,
  basePath: string,
): string | undefined {
  const question = originalUrl.indexOf('?');
  const path = question < 0 ? originalUrl : originalUrl.slice(0, question);
  const to = (target: number, relation: string): string => {
    const parameters = new URLSearchParams(question < 0 ? '' : originalUrl.slice(question + 1));
    parameters.set('page', String(target));
    return `<${basePath}${path}?${parameters.toString()}>; rel="${relation}"`;
  };
  const links = [...(more ? [to(page + 1, 'next')] : []), ...(page > 1 ? [to(page - 1, 'prev')] : [])];
  return links.length === 0 ? undefined : links.join(', ');
}
