import { notice, library } from './library-site';
import { answered, everywhere, hasField, isBrowser, isFile, isPage, isYaml, shownIf, type WebState } from './web-state';
import type { SiteResponse } from './web-messages';
import { type Weakness, withFields } from './web-weaknesses';

const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </site.css>; rel=preload\r\n\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

/** The weak and the fixed site both change their messages so. */
const framed = (name: string, change: (response: SiteResponse) => SiteResponse): WebState[] => [
  { name: `weak, ${name}`, truth: 'weak', begin: (weakness) => (request) => change(weakness.weak(request)) },
  { name: `fixed, ${name}`, truth: 'fixed', begin: (weakness) => (request) => change(weakness.fixed(request)) },
];

const withStatus =
  (status: number, fields: SiteResponse['fields'] = {}) =>
  (weakness: Weakness, request: Parameters<Weakness['weak']>[0]) => {
    const response = weakness.weak(request);
    return response.status === 200 ? withFields({ ...response, status }, fields) : response;
  };

/** The YAML check demands 200. */
const unlessYaml = (weakness: Weakness) => (isYaml(weakness) ? 'hidden' : 'weak');

const content = (status: number): WebState =>
  answered(`the content with ${status}`, 'hidden', withStatus(status), { on: isFile });

const success = (status: number, fields?: SiteResponse['fields']): WebState =>
  answered(`the content with ${status}`, unlessYaml, withStatus(status, fields), { on: isFile });

const elsewhere = (name: string, response: (weakness: Weakness, path: string) => SiteResponse): WebState =>
  answered(name, 'hidden', (weakness, request) => response(weakness, request.path), { on: isFile });

const doubled = (
  name: string,
  truth: WebState['truth'],
  values: (field: NonNullable<Weakness['field']>) => string[],
): WebState =>
  answered(
    name,
    truth,
    (weakness, request) =>
      withFields(library(request), weakness.field ? { [weakness.field.name]: values(weakness.field) } : {}),
    { on: hasField },
  );

/** Statuses, framing, redirects and fields. */
export const HTTP_STATES: readonly WebState[] = [
  ...framed('after early hints', (response) => ({ ...response, interim: EARLY_HINTS })),
  {
    name: 'weak, after an unasked 100',
    truth: 'hidden',
    begin: (weakness) => (request) => ({ ...weakness.weak(request), interim: CONTINUE }),
  },
  ...framed('in chunks with extensions and trailers', (response) => ({ ...response, trailers: { 'X-Sum': '1' } })),
  ...framed('over HTTP/1.0', (response) => ({ ...response, version: 'HTTP/1.0' })),
  ...framed('with a Content-Location elsewhere', (response) => withFields(response, { 'Content-Location': '/other' })),
  ...framed('with further Set-Cookie fields', (response) =>
    withFields(response, { 'Set-Cookie': ['a=1', 'b=2; Path=/'] }),
  ),
  success(203),
  success(206, { 'Content-Range': 'bytes 0-9/10' }),
  success(226),
  content(401),
  content(403),
  content(404),
  content(410),
  content(418),
  content(451),
  content(500),
  content(503),
  everywhere('the same Content-Length twice', 'unknowable', (response) =>
    withFields(response, {
      'Content-Length': [response.body, response.body].map((body = '') => String(Buffer.byteLength(body))),
    }),
  ),
  everywhere('a Content-Length that the connection does not reach', 'unknowable', (response, request, weakness) =>
    weakness.concerns(request) ? withFields(response, { 'Content-Length': 90_000 }) : response,
  ),
  {
    name: 'a redirect to the content on the site',
    truth: 'weak',
    on: isFile,
    begin: (weakness) => (request) => {
      if (request.path.startsWith('/moved'))
        return weakness.weak({ ...request, path: request.path.slice('/moved'.length) });
      return weakness.concerns(request)
        ? { status: 302, fields: { Location: `/moved${request.path}` } }
        : weakness.fixed(request);
    },
  },
  elsewhere('300 with a list of choices', ({ path }) => ({
    status: 300,
    body: notice('Multiple Choices', `The document can be found at <a href="${path}.old">this address</a>.`),
  })),
  elsewhere('421 as for another server', () => ({ status: 421, body: notice('Misdirected Request', 'Wrong server.') })),
  elsewhere('a page that refreshes itself to the content', () => ({
    status: 200,
    body: '<html><head><meta http-equiv="refresh" content="0; url=/moved/content"></head></html>',
  })),
  elsewhere('a Refresh field to the content', (_weakness, path) => ({
    status: 200,
    body: notice('Moved', 'One moment.'),
    fields: { Refresh: `0; url=/moved${path}` },
  })),
  elsewhere('a script that goes to the content', () => ({
    status: 200,
    body: '<script>location.replace("/moved/content")</script>',
  })),
  elsewhere('a redirect to the content on another host', (_weakness, path) => ({
    status: 302,
    fields: { Location: `http://files.library.example${path}` },
  })),
  elsewhere('a redirect to the content at another port', (_weakness, path) => ({
    status: 307,
    fields: { Location: `http://files.library.example:8080${path}` },
  })),
  elsewhere('a redirect to the path itself, which needs a cookie', (_weakness, path) => ({
    status: 302,
    fields: { Location: `${path}?checked=1`, 'Set-Cookie': 'checked=1' },
  })),
  doubled('a right value, and one that does not help', 'another target', ({ value, useless }) => [value, useless]),
  doubled('a value that does not help, and a right one', 'hidden', ({ value, useless }) => [useless, value]),
  {
    name: 'the field in the page alone',
    truth: 'weak',
    on: hasField,
    begin:
      ({ field }) =>
      (request) => {
        const response = library(request);
        const meta = `<meta http-equiv="${field?.name}" content="${field?.value}"><title>`;
        return { ...response, body: String(response.body).replace('<title>', meta) };
      },
  },
  {
    name: 'the field as a trailer alone',
    truth: 'weak',
    on: hasField,
    begin:
      ({ field }) =>
      (request) => ({ ...library(request), trailers: { [field?.name ?? '']: field?.value ?? '' } }),
  },
  {
    name: 'the field in an interim response alone',
    truth: 'weak',
    on: hasField,
    begin:
      ({ field }) =>
      (request) => ({
        ...library(request),
        interim: `HTTP/1.1 103 Early Hints\r\n${field?.name}: ${field?.value}\r\n\r\n`,
      }),
  },
  {
    name: 'the field in 304 responses and in those for HEAD alone',
    truth: 'weak',
    on: hasField,
    begin: (weakness) => (request) => (request.method === 'HEAD' ? weakness.fixed(request) : weakness.weak(request)),
  },
  shownIf('fixed for browsers alone', (request) => !isBrowser(request), { on: isPage }),
  answered('204 without content', 'unknowable', () => ({ status: 204 }), { on: isFile }),
  answered('200 without content', 'unknowable', () => ({ status: 200 }), { on: isFile }),
];
