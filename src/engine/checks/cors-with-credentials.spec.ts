import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { htmlPage } from '../testing/html-page';
import { corsWithCredentials, foreignOrigins } from './cors-with-credentials';

const allowing = (isTrusted: (origin: string) => boolean, credentials = 'true'): Site => ({
  answer: ({ headers: { origin } }) => {
    if (origin === undefined || !isTrusted(origin)) return null;
    const allowed = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': credentials };
    return { ...htmlPage('')['/'], headers: allowed };
  },
  pages: htmlPage(''),
});

truthTable(corsWithCredentials, {
  scheme: 'http',
  vulnerable: allowing(() => true),
  fixed: allowing((origin) => origin === 'https://partner.test'),
  alsoVulnerable: {
    'a cache keeps the answer to others': {
      answer: (request) => (request.url === '/' ? htmlPage('')['/'] : (allowing(() => true).answer?.(request) ?? null)),
    },
    'it trusts pages without an origin': allowing((origin) => origin === 'null'),
    'it compares how origins begin': allowing((origin) => origin.startsWith('https://target.test')),
    'it compares how they end': allowing((origin) => origin.endsWith('target.test')),
  },
  alsoFixed: {
    'without credentials': allowing(() => true, 'false'),
    'everybody, which browsers do not allow with credentials': {
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' },
      pages: htmlPage(''),
    },
    'its own subdomains': allowing((origin) => origin.endsWith('.target.test')),
  },
  lookalikes: {
    'a cache answers, whatever it is asked': { pages: htmlPage(''), headers: { age: '17' } },
    'foreign origins alone are refused': {
      answer: ({ headers: { origin } }) => (origin === undefined ? null : { status: 403, headers: { server: 'edge' } }),
      pages: htmlPage(''),
    },
  },
});

it.each([
  ['target.test', ['target.test.stranger.example', 'strangertarget.test']],
  [
    'www.target.test',
    ['www.target.test.stranger.example', 'target.test.stranger.example', 'strangertarget.test', 'wwwxtarget.test'],
  ],
  ['target.co.uk', ['target.co.uk.stranger.example', 'strangertarget.co.uk', 'targetxco.uk']],
  ['192.0.2.1', []],
])('foreign origins resemble %s, as somebody else may register them', (host, names) => {
  const lookalikes = names.map((name) => `https://${name}`);
  expect(foreignOrigins(host)).toEqual(['https://stranger.example', 'null', ...lookalikes]);
});
