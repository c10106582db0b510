import type { IncomingMessage } from 'node:http';
import { placeOf } from '../check';
import { parseTarget } from '../target';
import type { Reply, Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { htmlPage } from '../testing/html-page';
import { noHttpsRedirect } from './no-https-redirect';

const overPlainHttp = (reply: (request: IncomingMessage) => Reply): Site => ({
  pages: htmlPage(''),
  answer: (request) => ('encrypted' in request.socket ? null : reply(request)),
});
const leadingTo = (status: number, url: (host: string) => string): Site =>
  overPlainHttp(({ headers: { host = '' } }) => ({ status, headers: { location: url(host) } }));

truthTable(noHttpsRedirect, {
  vulnerable: { pages: htmlPage('') },
  fixed: leadingTo(301, (host) => `https://${host}/`),
  alsoVulnerable: {
    'it leads to another page of its own': {
      answer: ({ url }) => (url === '/' ? { status: 302, headers: { location: '/index.html' } } : null),
      pages: { '/index.html': htmlPage('')['/'] },
    },
  },
  alsoFixed: { 'it leads there for this time': leadingTo(307, (host) => `https://${host}/`) },
  lookalikes: {
    'it leads to HTTPS on another site': leadingTo(301, () => 'https://parked.test/'),
    'it is closed to everybody': overPlainHttp(() => ({ status: 403, body: 'Forbidden' })),
  },
});

describe('no-https-redirect', () => {
  it('has nothing to test on HTTPS', () => {
    const reason = 'tested over http only';
    expect(placeOf(noHttpsRedirect, parseTarget('https://www.example.com/'))).toEqual({ applicable: false, reason });
  });
});
