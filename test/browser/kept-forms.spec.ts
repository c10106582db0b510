import { RequestMethod } from '@nestjs/common';
import type { BrowserContext, Page } from 'playwright-core';
import { useApi } from '../support/api';
import { describeInBrowser, useBrowser, windowOf } from '../support/chromium';
import { query } from '../support/database';
import { Factories, type Person, type Tenant } from '../support/factories';
import { PASSWORD, signedInAs, usePortal } from '../support/portal';
import { portalRoutes } from '../support/portal-routes';
import { recordsOf } from '../support/records';

const PATIENCE_MS = 90_000;
const TEXT = 'It is still there behind /admin.';
const SAYS = 'This is what you had typed';

describeInBrowser('a form when its session has ended', () => {
  const api = useApi();
  const portal = usePortal(api);
  const make = new Factories(api);
  const browser = useBrowser();
  let tenant: Tenant;
  let person: Person;
  let path: string;
  let context: BrowserContext;
  let page: Page;

  beforeEach(async () => {
    tenant = await make.organization();
    person = await tenant.as('admin');
    path = `/o/${tenant.id}/findings/${(await make.finding(tenant.id)).id}`;
    context = await windowOf(browser, { api, portal, person });
    page = await context.newPage();
    await page.goto(portal.url + path);
  });
  afterEach(() => context.close());

  const comment = () => page.locator('textarea#new-comment');
  const endSession = ({ userId }: Person) => query('DELETE FROM sessions WHERE user_id = $1', [userId]);
  const emailOf = async ({ userId }: Person): Promise<string> =>
    (await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]))[0]?.email ?? '';
  const keptForm = () => page.evaluate<string | null>(`sessionStorage.getItem('kept-form')`);
  const comments = () => query('SELECT 1 FROM finding_history WHERE organization_id = $1 AND is_comment', [tenant.id]);

  async function loseComment(): Promise<void> {
    await comment().fill(TEXT);
    await endSession(person);
    await page.getByRole('button', { name: 'Comment' }).click();
    await page.getByRole('heading', { name: 'Sign in to Assay' }).waitFor();
  }

  async function signIn(who: Person): Promise<void> {
    await signedInAs(api, portal, who);
    await page.getByLabel('E-mail address').fill(await emailOf(who));
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('button', { name: 'Menu' }).or(page.locator('nav.sidebar')).first().waitFor();
  }

  it(
    'shows what was typed after the sign-in, on its page, and sends it when it is asked to',
    async () => {
      await loseComment();
      await page.getByText('What you typed is shown again after you sign in').waitFor();
      await signIn(person);
      await page.getByText(SAYS).waitFor();
      expect([new URL(page.url()).pathname, await comment().inputValue(), await comments()]).toEqual([path, TEXT, []]);
      await page.getByRole('button', { name: 'Comment' }).click();
      await page.getByRole('paragraph').getByText(TEXT).waitFor();
      expect([await comment().inputValue(), await keptForm(), (await comments()).length]).toEqual(['', null, 1]);
    },
    PATIENCE_MS,
  );

  it(
    'shows nothing to another user, and forgets it',
    async () => {
      await loseComment();
      await signIn(await tenant.as('admin'));
      expect([await page.getByText(SAYS).count(), await keptForm()]).toEqual([0, null]);
    },
    PATIENCE_MS,
  );

  it(
    'shows nothing after an hour',
    async () => {
      await loseComment();
      await page.evaluate(
        `sessionStorage.setItem('kept-form', sessionStorage.getItem('kept-form').replace(/"at":\\d+/, '"at":' + (Date.now() - 3_601_000)))`,
      );
      await signIn(person);
      expect([await page.getByText(SAYS).count(), await keptForm()]).toEqual([0, null]);
    },
    PATIENCE_MS,
  );

  it(
    'is forgotten when the user signs out, in each tab',
    async () => {
      await loseComment();
      await signIn(person);
      await page.getByText(SAYS).waitFor();
      const other = await context.newPage();
      await other.goto(portal.url + path);
      await other.locator('.top .menu summary').click();
      await other.getByRole('button', { name: 'Sign out' }).click();
      await other.getByRole('heading', { name: 'Sign in to Assay' }).waitFor();
      await page.reload();
      expect(await keptForm()).toBeNull();
    },
    PATIENCE_MS,
  );

  it(
    'keeps what is typed into each form of the portal, except credentials and files',
    async () => {
      const owner = await tenant.as('owner');
      const own = await windowOf(browser, { api, portal, person: owner });
      const records = await recordsOf(tenant.id, owner);
      const ids = new Map<string, string | number>(Object.entries({ ...records, organization: tenant.id }));
      const paths = portalRoutes(portal)
        .filter(({ method, path: route }) => method === RequestMethod.GET && !/(stream|progress)$|:token/.test(route))
        .map(({ path: route }) => route.replace(/:(\w+)/g, (_, name: string) => String(ids.get(name) ?? 1)));
      const known = new Set<string>();
      const tab = await own.newPage();
      const tried: FormTried[] = [];
      for (const one of new Set(paths)) {
        const answer = await own.request.get(portal.url + one, { maxRedirects: 0 });
        if (!answer.ok() || !answer.headers()['content-type']?.startsWith('text/html')) continue;
        const actions = [
          ...(await answer.text()).matchAll(
            /<form[^>]*method="post"[^>]*action="([^"]*)"|<form[^>]*action="([^"]*)"[^>]*method="post"/g,
          ),
        ];
        const unknown = actions
          .map(([, first, second]) => first ?? second ?? '')
          .filter((action) => !known.has(action));
        if (unknown.length === 0) continue;
        for (const action of unknown) known.add(action);
        await tab.goto(portal.url + one);
        tried.push(...(await tab.evaluate<FormTried[]>(`(${tryForms})()`)));
      }
      await own.close();
      const typed = tried.filter(({ typed: count }) => count > 0);
      expect(new Set(typed.map(({ action }) => action)).size).toBeGreaterThan(30);
      expect(typed.filter(({ lost }) => lost.length > 0)).toEqual([]);
      expect(tried.filter(({ hasKeptSecret }) => hasKeptSecret)).toEqual([]);
    },
    2 * PATIENCE_MS,
  );
});

interface FormTried {
  readonly action: string;
  /** How many fields were filled, without those that must not be kept. */
  readonly typed: number;
  /** The names of those that are not shown again. */
  readonly lost: readonly string[];
  readonly hasKeptSecret: boolean;
}

/** In the page: fills each form, as if its session had ended and the same user had signed in, and compares. */
const tryForms = `() => {
  const OTHERS = { date: '2027-01-31', number: '1', email: 'a@example.com', url: 'https://example.com/', 'datetime-local': '2027-01-31T10:00' };
  const isSecret = ({ type, autocomplete, dataset }) => type === 'password' || autocomplete === 'one-time-code' || dataset.unkept !== undefined;
  return [...document.querySelectorAll('form[method=post]')].map((form) => {
    const fields = [...form.elements].filter(({ name, type }) => name && !['hidden', 'file', 'submit', 'button', 'fieldset', 'reset'].includes(type));
    const stateOf = (field) => ['checkbox', 'radio'].includes(field.type) ? field.checked : field.value;
    for (const field of fields) {
      if (field.type === 'checkbox') field.checked = !field.checked;
      else if (field.type === 'radio') field.checked = true;
      else if (field.tagName === 'SELECT') field.selectedIndex = field.options.length - 1;
      else field.value = OTHERS[field.type] ?? (isSecret(field) ? 'not-to-be-kept' : 'Typed text');
    }
    const kept = fields.filter((field) => !isSecret(field));
    const expected = kept.map(stateOf);
    fields[0]?.dispatchEvent(new Event('input', { bubbles: true }));
    dispatchEvent(new Event('pagehide'));
    const stored = sessionStorage.getItem('kept-form') ?? 'null';
    form.reset();
    sessionStorage.setItem('kept-form', JSON.stringify({ ...JSON.parse(stored), isLost: true }));
    dispatchEvent(new Event('pageshow'));
    const lost = kept.filter((field, at) => stateOf(field) !== expected[at]).map(({ name }) => name);
    sessionStorage.removeItem('kept-form');
    return { action: form.getAttribute('action'), typed: kept.length, lost, hasKeptSecret: stored.includes('not-to-be-kept') };
  });
}`;
