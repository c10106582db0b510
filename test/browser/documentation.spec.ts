import type { Page } from 'playwright-core';
import { useApi } from '../support/api';
import { describeInBrowser, useBrowser } from '../support/chromium';
import { Factories } from '../support/factories';

/** Of the processor, of which the page has one to itself. To draw all operations takes three. */
const MAX_SECONDS = 2;

describeInBrowser('Swagger UI in a browser', () => {
  const api = useApi();
  const make = new Factories(api);
  const browser = useBrowser();

  const newPage = async (): Promise<Page> => (await browser.newContext({ reducedMotion: 'reduce' })).newPage();

  it('shows its first operations within three seconds, and those of another tag when it is opened', async () => {
    const page = await newPage();
    const session = await page.context().newCDPSession(page);
    // Other work on this machine takes time, but no time of the thread of the page.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(`${api.url}/docs`, { waitUntil: 'commit' });
    await page.locator('.opblock').first().waitFor();
    const { metrics } = await session.send('Performance.getMetrics');
    const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity;
    expect(seconds).toBeLessThan(MAX_SECONDS);
    expect(await page.locator('.opblock-tag[data-is-open="true"]').count()).toBe(1);
    await page.locator('#operations-tag-Feed').click();
    await page.locator('#operations-Feed-readFeed').waitFor();
    await page.locator('#operations-tag-Findings').click();
    expect(await page.locator('.opblock-tag[data-is-open="true"]').count()).toBe(1);
  });

  it('says which credentials it needs, and sends a request with them', async () => {
    const tenant = await make.organization();
    const { credentials } = await tenant.as('member');
    const { id, title } = await make.finding(tenant.id);
    const page = await newPage();
    await page.goto(`${api.url}/docs`);
    await page.getByText('the API key as username, the API secret as password').waitFor();
    await page.locator('button.authorize').first().click();
    await page.getByText('An API key as username, its secret as password.').waitFor();
    await page.getByLabel('API key').fill(`${credentials.accessKey} `);
    await page.getByLabel('API secret').fill(credentials.secret);
    await page.locator('.auth-btn-wrapper .authorize').first().click();
    await page.getByText(`Authorized as ${credentials.accessKey}`).waitFor();
    await page.locator('.btn-done').first().click();
    const operation = page.locator('#operations-Findings-getFinding');
    await operation.locator('.opblock-summary-control').click();
    await operation.getByPlaceholder('finding_id').fill(String(id));
    await operation.getByRole('button', { name: 'Execute' }).click();
    const response = operation.locator('.live-responses-table .response');
    await response.getByText('200').waitFor();
    expect(await response.innerText()).toContain(title);
  });
});
