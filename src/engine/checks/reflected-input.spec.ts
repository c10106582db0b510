import type { IncomingMessage } from 'node:http';
import { probeSite } from '../testing/probe-site';
import type { Reply, Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { reflectedInput } from './reflected-input';

const HOME =
  '<!doctype html><title>Shop</title><h1>Shop</h1><a href="/find?term=red&amp;size=2">Red ones</a><p>Prices</p>';
const parametersOf = ({ url = '' }: IncomingMessage): URLSearchParams =>
  new URL(url, 'http://target.test').searchParams;
const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const at = (path: string, reply: (request: IncomingMessage) => Reply | null): Site => ({
  answer: (request) => (request.url?.split('?', 1)[0] === path ? reply(request) : null),
  pages: { '/': HOME },
});
const results = (term: string): Reply => ({
  body: `<!doctype html><html><title>Results</title><p>Results for ${term}</p><ul><li>None</li></ul></html>`,
});
const find = (show: (term: string) => string): Site =>
  at('/find', (request) => results(show(parametersOf(request).get('term') ?? '')));

truthTable(reflectedInput, {
  scheme: 'http',
  vulnerable: find((term) => term),
  fixed: find(escaped),
  alsoVulnerable: {
    'it removes whole tags': find((term) => term.replaceAll(/<[^>]*>/g, '')),
    'it decodes once more what it escapes': find((term) => decodeURIComponent(escaped(term))),
    'the page itself does it, and no link says so': at('/', (request) => {
      const search = parametersOf(request).get('search');
      return search === null ? null : results(search);
    }),
    'the page for missing paths does it': {
      answer: ({ url = '/' }) =>
        url.startsWith('/assay') ? { status: 404, body: `<p>There is no ${decodeURIComponent(url)}</p>` } : null,
      pages: { '/': HOME },
    },
  },
  alsoFixed: {
    'quotes are escaped in a quoted attribute': find((term) => `<input value="${term.replaceAll('"', '&quot;')}">`),
    'it refuses such input': at('/find', () => ({ status: 400, body: 'This is no word.' })),
  },
});

describe('a finding about one parameter', () => {
  truthTable(reflectedInput, {
    scheme: 'http',
    path: '/find',
    parameter: 'term',
    vulnerable: find((term) => term),
    fixed: find(escaped),
    alsoVulnerable: { 'it removes whole tags': find((term) => term.replaceAll(/<[^>]*>/g, '')) },
    alsoFixed: {
      'it refuses such input': at('/find', (request) =>
        parametersOf(request).has('term') ? { status: 400, body: 'This is no word.' } : results(''),
      ),
    },
  });
});

const quotesEscaped = (text: string): string => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;');
const tagsEscaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const inString = (text: string): string => JSON.stringify(text).replaceAll('</', '<\\/');

describe('reflected-input in each part of a page', () => {
  it.each<[string, (term: string) => string]>([
    ['an element', (term) => `<p>${term}</p>`],
    ['an attribute whose quote it ends', (term) => `<input value="${term}">`],
    ['an attribute in single quotes', (term) => `<input value='${term}'>`],
    ['an attribute without quotes', (term) => `<input value=${term}>`],
    ['an attribute of which only < and > are escaped', (term) => `<input value="${tagsEscaped(term)}">`],
    ['a comment', (term) => `<!-- ${term} -->`],
    ['a textarea', (term) => `<textarea>${term}</textarea>`],
    ['a title', (term) => `<title>${term}</title>`],
    ['a style', (term) => `<style>/* ${term} */</style>`],
    ['a string of a script that it ends', (term) => `<script>var t = "${tagsEscaped(term)}"</script>`],
    ['a string of a script whose element it ends', (term) => `<script>var t = ${JSON.stringify(term)}</script>`],
    [
      'data of a script whose element it ends',
      (term) => `<script type="application/json">${JSON.stringify(term)}</script>`,
    ],
    ['the code of a script', (term) => `<script>var t = ${tagsEscaped(term)}</script>`],
    ['the script of an attribute', (term) => `<a onclick="find('${quotesEscaped(term)}')">x</a>`],
    ['an address that is a script', (term) => `<a href="javascript:find('${quotesEscaped(term)}')">x</a>`],
    ['a page after a declaration and a lone <', (term) => `<!doctype html>1 < 2 ${term}`],
  ])('is vulnerable when the input is %s', async (_where, show) => {
    expect(await probeSite(reflectedInput, find(show))).toBe('vulnerable');
  });

  it.each<[string, (term: string) => string]>([
    ['a quoted attribute whose quotes are escaped', (term) => `<input value="${quotesEscaped(term)}">`],
    ['an attribute with an address', (term) => `<a href="/find?term=${quotesEscaped(term)}">x</a>`],
    ['a comment that it cannot end', (term) => `<!-- ${term.replaceAll('--', '')} -->`],
    ['a textarea that it cannot end', (term) => `<textarea>${term.replaceAll('</textarea', '')}</textarea>`],
    ['a string of a script', (term) => `<script>var t = ${inString(term)}</script>`],
    ['a string after a regular expression', (term) => `<script>var p = /["'/]/, t = ${inString(term)}</script>`],
    ['a comment of a script', (term) => `<script>// ${inString(term)}\nvar t = 4 / 2 / 1</script>`],
    ['data of a script', (term) => `<script type="application/json">${inString(term)}</script>`],
    [
      'a string in the script of an attribute',
      (term) => `<a onclick="find('${quotesEscaped(term.replaceAll(/['"]/g, '\\$&'))}')">x</a>`,
    ],
  ])('is not vulnerable when the input is %s', async (_where, show) => {
    expect(await probeSite(reflectedInput, find(show))).toBe('not_vulnerable');
  });
});

describe('reflected-input', () => {
  const typed = (type: string): Site =>
    at('/find', (request) => ({
      ...results(parametersOf(request).get('term') ?? ''),
      headers: { 'content-type': type },
    }));
  it.each<[string, Site]>([
    ['text', typed('text/plain')],
    ['JSON', typed('application/json')],
    [
      'a string of a script that cannot end it',
      find((term) => `<script>var t = ${JSON.stringify(term).replaceAll('</', '<\\/')}</script>`),
    ],
    ['an address', find((term) => `<a href="/find?term=${encodeURIComponent(term)}">again</a>`)],
    ['input without tags', find((term) => term.replaceAll(/<[^>]*>/g, ''))],
    [
      'a redirect',
      at('/find', (request) => ({
        status: 302,
        headers: { location: '/' },
        body: parametersOf(request).get('term') ?? '',
      })),
    ],
    ['a refusal of a firewall', at('/find', () => ({ status: 403, body: 'Sorry, you have been blocked' }))],
    ['an error', at('/find', () => ({ status: 500, body: 'Error' }))],
  ])('is not vulnerable when the response is %s', async (_what, site) => {
    expect(await probeSite(reflectedInput, site)).toBe('not_vulnerable');
  });

  it('is inconclusive when the rate is limited', async () => {
    expect(
      await probeSite(
        reflectedInput,
        at('/find', () => ({ status: 429 })),
      ),
    ).toBe('inconclusive');
  });
});
