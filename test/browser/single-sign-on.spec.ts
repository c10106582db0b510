import { source as axeSource } from 'axe-core';
import type { Page } from 'playwright-core';
import { query } from '../support/database';
import { unique } from '../support/factories';
import { describeInBrowser, useBrowser } from '../support/chromium';
import {
  linkProvider,
  setUpProvider,
  singleSignOn,
  throughProvider,
  useProviderInstallation,
} from '../support/provider-installation';
import { Browser } from '../support/portal';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate<string[]>(
    `axe.run(document, ${JSON.stringify({ runOnly: WCAG })}).then(({ violations }) => violations.map(({ id, nodes }) =>
      id + ': ' + nodes.map(({ target }) => target)))`,
  );
}

describeInBrowser('single sign-on in a browser', () => {
  const installation = useProviderInstallation();
  const { portal } = installation;
  const browser = useBrowser();

  it('leads by keyboard from an address to the provider and back, and its pages have no violation of WCAG', async () => {
    const { domain, tenant } = await setUpProvider(installation);
    const account = unique('account').replace(' ', '-');
    const email = `${account}@${domain}`;
    installation.provider.accounts.set(account, { email, email_verified: true, name: 'Olga Example' });
    installation.provider.account = account;
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width: 390, height: 800 } });
    const page = await context.newPage();
    const messages: string[] = [];
    page.on('console', (message) => messages.push(message.text()));
    await page.goto(`${portal.url}/sign-in`);
    await page.getByRole('link', { name: 'Sign in with your organization' }).press('Enter');
    await page.getByLabel('E-mail address').fill(email);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /^Continue to/ }).focus();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${portal.url}/o/${tenant.id}`);
    expect(messages).toEqual([]);
    await context.close();
  });

  it('shows owners what the provider has sent, and links', async () => {
    const { browser: owner, signIn, tenant } = await setUpProvider(installation, { roles: 'testers = admin' });
    const account = unique('account').replace(' ', '-');
    installation.provider.accounts.set(account, { email: `${account}@elsewhere.example`, groups: ['x'.repeat(400)] });
    expect((await throughProvider(installation, new Browser(portal), signIn, account)).status).toBe(403);
    await linkProvider(installation, owner, signIn.split('/').at(-1) ?? '', account);
    await owner.submit(singleSignOn(tenant.id), `${singleSignOn(tenant.id)}/scim`);
    const [user] = await query('SELECT 1 FROM provider_identities WHERE organization_id = $1', [tenant.id]);
    expect(user).toBeDefined();
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    await context.addCookies([{ name: 'assay', value: owner.cookie('assay') ?? '', url: portal.url }]);
    const page = await context.newPage();
    for (const [path, width] of [
      [singleSignOn(tenant.id), 1280],
      [singleSignOn(tenant.id), 360],
      ['/settings/providers', 360],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(portal.url + path);
      await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
      expect([path, await violationsOf(page)]).toEqual([path, []]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    }
    await context.close();
  });
});
