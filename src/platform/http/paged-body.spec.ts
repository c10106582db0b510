import { linkHeader, PagedBody } from './paged-body';

const links = (query: string): string | undefined =>
  linkHeader(new PagedBody({}, { page: 2, perPage: 10 }, { next: [7] }), `/v1/jobs/?${query}`, '/base');

describe('the links of a page', () => {
  it.each([
    ['per_page=10&page=2&status=1', 'per_page=10&status=1'],
    ['pages=3&page=2', 'pages=3'],
    ['after=abc&labels[]=a&page', 'labels%5B%5D=a'],
    ['q=a+b&%70age=2', 'q=a+b'],
    ['q=%22><%22&page=2', 'q=%22%3E%3C%22'],
    ['q=caf%C3%A9', 'q=caf%C3%A9'],
  ])('keep the other parameters, encoded: %s', (query, others) => {
    expect(links(query)).toMatch(
      new RegExp(
        `^</base/v1/jobs/\\?${others.replaceAll('+', '\\+')}&after=[\\w-]+>; rel="next", ` +
          `</base/v1/jobs/\\?${others.replaceAll('+', '\\+')}&page=1>; rel="prev"$`,
      ),
    );
  });

  it('have only the position if there is nothing else', () => {
    expect(links('page=2')).toMatch(/^<\/base\/v1\/jobs\/\?after=[\w-]+>/);
  });
});
