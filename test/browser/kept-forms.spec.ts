import type { BrowserContext, Page } from 'playwright-core';
import { useApi } from '../support/api';
import { describeInBrowser, useBrowser, windowOf } from '../support/chromium';
import { query } from '../support/database';
import { Factories, type Person, type Tenant } from '../support/factories';
import { PASSWORD, signedInAs, usePortal } from '../support/portal';

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
});
