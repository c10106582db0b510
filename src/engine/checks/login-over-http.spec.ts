import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { htmlPage } from '../testing/html-page';
import { probeSite } from '../testing/probe-site';
import { loginOverHttp } from './login-over-http';

const redirecting = (site: Site): Site => ({
  answer: (request) =>
    'encrypted' in request.socket
      ? (site.answer?.(request) ?? null)
      : { status: 301, headers: { location: `https://${request.headers.host ?? ''}${request.url ?? ''}` } },
  pages: site.pages ?? {},
});
const LOGIN: Site = {
  pages: htmlPage('', '<form method="post"><input name="u"><input type="password" name="p"></form>'),
};
const challenging = (scheme: string): Site => ({
  answer: () => ({
    status: 401,
    headers: { 'www-authenticate': `${scheme} realm="target"` },
    body: '<title>401 Unauthorized</title><h1>Authorization required by the target</h1>',
  }),
});

truthTable(loginOverHttp, {
  vulnerable: LOGIN,
  fixed: redirecting(LOGIN),
  alsoFixed: {
    'it is asked for elsewhere': { pages: htmlPage('', '<a href="https://target.test/login">Sign in</a>') },
  },
});

describe('login-over-http, without a page', () => {
  it.each([
    ['vulnerable', challenging('Basic')],
    ['not_vulnerable', challenging('Negotiate')],
    ['not_vulnerable', redirecting(challenging('Basic'))],
  ])('is %s', async (state, site) => {
    expect(await probeSite(loginOverHttp, site)).toBe(state);
  });
});
