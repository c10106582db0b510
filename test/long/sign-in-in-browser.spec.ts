import type { Page } from 'playwright-core';
import { Clock } from '../../src/kernel/clock';
import { useApi } from '../support/api';
import { describeInBrowser, useBrowser } from '../support/chromium';
import { Factories } from '../support/factories';
import { Browser as Client, PASSWORD, usePortal, withPassword } from '../support/portal';

describeInBrowser('signing in with a browser', () => {
  const api = useApi();
  const portal = usePortal(api, { TRUSTED_PROXIES: '127.0.0.1' });
  const make = new Factories(api);
  const browser = useBrowser();
  // So that no attempt becomes free again during the test.
  beforeAll(() => void jest.spyOn(api.app.get(Clock), 'now').mockReturnValue(new Date()));
  afterAll(() => void jest.restoreAllMocks());

  const account = async (): Promise<string> => withPassword(api, await (await make.organization()).as('owner'));

  async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.goto(`${portal.url}/sign-in`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }

  it('works in a browser that has signed in before, while strangers guess, and says when to try again in others', async () => {
    const email = await account();
    const [known, other] = [await browser.newPage(), await browser.newPage()];
    await signIn(known, email);
    await known.getByText(email).first().click();
    await known.getByRole('button', { name: 'Sign out' }).click();
    for (let address = 0; address < 10; address++)
      for (let guess = 0; guess < 10; guess++)
        await new Client(portal).post(
          '/sign-in',
          { email, password: 'a guess' },
          { 'x-forwarded-for': `198.51.100.${address}` },
        );
    await signIn(other, email);
    const reason = other.getByRole('alert');
    expect(await reason.textContent()).toBe('Too many attempts to sign in. Try again in 18 seconds.');
    expect(await other.getByLabel('E-mail address').inputValue()).toBe(email);
    await signIn(known, email);
    await known.waitForURL(/\/o\/\d+$/);
  });

  it('leads to forms that keep what was typed, and show where a control character is', async () => {
    const page = await browser.newPage();
    await signIn(page, await account());
    await page.goto(`${portal.url}/settings/security`);
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Olga\u0007 Smith');
    await page.getByRole('button', { name: 'Change the name' }).click();
    expect(await page.getByRole('alert').textContent()).toBe(
      'Name must not contain control characters: it contains U+0007. Remove it.',
    );
    expect(await name.inputValue()).toBe('Olga\uFFFD Smith');
    await name.fill('Olga Smith');
    await page.getByRole('button', { name: 'Change the name' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Olga Smith');
  });
});
