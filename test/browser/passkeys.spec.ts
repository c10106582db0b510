import { source as axeSource } from 'axe-core';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { useApi } from '../support/api';
import { describeInBrowser, useBrowser } from '../support/chromium';
import { Factories, type Person } from '../support/factories';
import { PASSWORD, usePortal, withPassword } from '../support/portal';

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

describeInBrowser('passkeys in a browser', () => {
  const api = useApi();
  const portal = usePortal(api);
  const make = new Factories(api);
  const browser = useBrowser();

  const urlOf = (path: string): string => portal.url.replace('127.0.0.1', 'localhost') + path;

  /** A window whose computer has an authenticator, which answers at once as its owner does. */
  async function windowWithAuthenticator(): Promise<{
    context: BrowserContext;
    page: Page;
    session: CDPSession;
    authenticatorId: string;
  }> {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { context, page, session, authenticatorId };
  }

  async function signIn(page: Page, person: Person, path: string): Promise<void> {
    await page.goto(urlOf(path));
    await page.getByLabel('E-mail address').fill(await withPassword(api, person));
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
  }

  /** With the keyboard alone. */
  async function addPasskey(page: Page): Promise<void> {
    await page.locator('summary', { hasText: 'Add a passkey' }).press('Enter');
    await page.locator('#passkey-password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/passkeys/new');
    await page.getByLabel('Name').fill('This computer');
    await page.keyboard.press('Enter');
    await page.getByText('The passkey was added.').waitFor();
  }

  async function violationsOf(page: Page): Promise<string[]> {
    await page.evaluate(axeSource);
    const options = { runOnly: WCAG, resultTypes: ['violations'], preload: false, iframes: false };
    return page.evaluate<string[]>(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(({ id }) => id))`,
    );
  }

  it('are added, complete a sign-in after the password, and sign in without it', async () => {
    const person = await (await make.organization()).as('owner');
    const { context, page } = await windowWithAuthenticator();
    const refusals: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refusals.push(message.text()));
    await signIn(page, person, '/settings/security');
    await addPasskey(page);
    await page.getByText('This computer').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);

    await context.clearCookies();
    await signIn(page, person, '/settings/sessions');
    await page.getByRole('heading', { name: 'Show that it is you' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use your passkey' }).press('Enter');
    await page.waitForURL('**/settings/sessions');

    await context.clearCookies();
    await page.goto(urlOf('/settings/sessions'));
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter');
    await page.waitForURL('**/settings/sessions');
    expect(refusals).toEqual([]);
    await context.close();
  });

  it('confirm their own removal, after which the password is enough', async () => {
    const person = await (await make.organization()).as('owner');
    const { context, page } = await windowWithAuthenticator();
    await signIn(page, person, '/settings/security');
    await addPasskey(page);
    await page.locator('summary', { hasText: 'Remove This computer' }).press('Enter');
    await page.locator('[id^=remove-][id$=-password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByText('The passkey was removed.').waitFor();
    await context.clearCookies();
    await signIn(page, person, '/settings/sessions');
    await page.waitForURL('**/settings/sessions');
    await context.close();
  });

  it('say what to do when the authenticator does not know its user, or has none', async () => {
    const person = await (await make.organization()).as('owner');
    const { context, page, session, authenticatorId } = await windowWithAuthenticator();
    await signIn(page, person, '/settings/security');
    await addPasskey(page);
    await context.clearCookies();
    await page.goto(urlOf('/sign-in'));
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('No passkey was used. Try again.').waitFor();
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL((url) => url.pathname.startsWith('/o/'));
    await context.close();
  });

  it('have no button without scripts, and the page says why', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(urlOf('/sign-in'));
    await page.getByText('Passkeys need a current browser that runs scripts.').waitFor();
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).isVisible()).toBe(false);
    await context.close();
  });
});
