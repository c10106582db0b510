import { useApi } from '../support/api';
import { Factories } from '../support/factories';
import { Browser, PASSWORD, type PortalAnswer, usePortal, withPassword } from '../support/portal';

const PORTAL_URL = 'https://assay.example.com';
const api = useApi();
const portal = usePortal(api, { PORTAL_URL });
const make = new Factories(api);

const NOTICE = '__Host-assay-notice';
const PAGE = '/settings/security';

/** Sends forms as a page at PORTAL_URL does. */
class HttpsBrowser extends Browser {
  sendForm(path: string, fields: Record<string, string>): Promise<PortalAnswer> {
    return this.post(path, fields, { origin: PORTAL_URL, referer: PORTAL_URL + PAGE });
  }
}

async function signedIn(): Promise<{ browser: HttpsBrowser; answer: PortalAnswer; organizationId: number }> {
  const tenant = await make.organization();
  const email = await withPassword(api, await tenant.as('owner'));
  const browser = new HttpsBrowser(portal);
  return {
    browser,
    answer: await browser.sendForm('/sign-in', { email, password: PASSWORD }),
    organizationId: tenant.id,
  };
}

const csrfOf = async (browser: Browser): Promise<string> =>
  /name="csrf" value="([^"]*)"/.exec((await browser.get(PAGE)).text)?.[1] ?? '';

/** Saves a view, which leaves a notice for the next page. */
async function saveView(browser: HttpsBrowser, organizationId: number): Promise<PortalAnswer> {
  const form = { csrf: await csrfOf(browser), name: 'Mine', query: '' };
  return browser.sendForm(`/o/${organizationId}/findings/views`, form);
}

const SAVED = 'The view &quot;Mine&quot; was saved.';
const noticeIn = ({ text }: PortalAnswer): string | undefined => /class="notice-line"[^>]*>([^<]*)</.exec(text)?.[1];

describe('a portal with an https address', () => {
  it('lets browsers send its cookies only over TLS and to its own host', async () => {
    const { browser, answer, organizationId } = await signedIn();
    const cookies = [
      ...answer.headers.getSetCookie(),
      ...(await saveView(browser, organizationId)).headers.getSetCookie(),
    ];
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['__Host-assay', '__Host-assay-browser', NOTICE]);
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
  });

  it('asks browsers to use TLS from now on', async () => {
    for (const path of ['/sign-in', '/unknown', '/static/unknown'])
      expect((await new Browser(portal).get(path)).headers.get('strict-transport-security')).toBe('max-age=63072000');
  });
});

describe('a notice', () => {
  it('is shown once, in the session that it is for', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const saved = await saveView(one.browser, one.organizationId);
    expect(saved.status).toBe(303);
    const cookie = one.browser.cookie(NOTICE) ?? '';
    other.browser.setCookie(NOTICE, cookie);
    expect(noticeIn(await other.browser.get(PAGE))).toBeUndefined();
    expect(noticeIn(await one.browser.get(PAGE))).toBe(SAVED);
    expect(one.browser.cookie(NOTICE)).toBeUndefined();
    expect(noticeIn(await one.browser.get(PAGE))).toBeUndefined();
  });

  it('is not shown with a wrong signature, or without one', async () => {
    const { browser, organizationId } = await signedIn();
    await saveView(browser, organizationId);
    const signature = decodeURIComponent(browser.cookie(NOTICE) ?? '').split('.')[0] ?? '';
    const planted = 'Call 555 to unlock your account.';
    for (const value of [`${signature}.${planted}`, `${'A'.repeat(43)}.${planted}`, `.${planted}`, planted, '%']) {
      browser.setCookie(NOTICE, value === '%' ? value : encodeURIComponent(value));
      const page = await browser.get(PAGE);
      expect([page.status, noticeIn(page)]).toEqual([200, undefined]);
      expect(page.text).not.toContain('555');
      expect(browser.cookie(NOTICE)).toBeUndefined();
    }
  });
});
