import type { Page } from 'playwright-core';
import { useApi } from '../support/api';
import { describeInBrowser, useBrowser, windowOf } from '../support/chromium';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { usePortal } from '../support/portal';

const PATIENCE_MS = 90_000;

describeInBrowser('forms and filters in a browser', () => {
  const api = useApi();
  const portal = usePortal(api);
  const make = new Factories(api);
  const browser = useBrowser();
  let tenant: Tenant;
  let page: Page;

  beforeAll(async () => {
    tenant = await make.organization();
    const context = await windowOf(browser, { api, portal, person: await tenant.as('admin') });
    page = await context.newPage();
  });
  afterAll(() => page.context().close());

  const labels = () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('#content form label')].filter((one) => one.checkVisibility()).map((one) => one.textContent)`,
    );

  it(
    'a schedule asks for what belongs to its choices, and runs every night in the time zone of the browser',
    async () => {
      await page.goto(`${portal.url}/o/${tenant.id}/schedules/new`);
      expect(await labels()).toEqual(['Name', 'What', 'On what', 'When', 'Time zone']);
      await page.getByLabel('What', { exact: true }).selectOption('resolved_retest');
      await page.getByLabel('On what').selectOption('label');
      await page.getByLabel('When').selectOption('hours');
      const asked = ['Name', 'What', 'Days after the fix', 'On what', 'Label', 'When', 'Every so many hours'];
      expect(await labels()).toEqual(asked);
      await page.getByLabel('On what').selectOption('all');
      await page.getByLabel('When').selectOption('nightly');
      await page.getByLabel('Name').fill('Every night');
      await page.getByLabel('Days after the fix').fill('30');
      await page.getByRole('button', { name: 'Show the next runs' }).click();
      await page.getByRole('button', { name: 'Create the schedule' }).click();
      await page.getByRole('heading', { name: 'Last runs' }).waitFor();
      const zone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone');
      expect(
        await query('SELECT what, cron, time_zone FROM schedules WHERE organization_id = $1', [tenant.id]),
      ).toEqual([{ what: 'resolved_retest', cron: '0 3 * * *', time_zone: zone }]);
    },
    PATIENCE_MS,
  );

  it(
    'a channel asks for what belongs to its kind',
    async () => {
      await page.goto(`${portal.url}/o/${tenant.id}/channels/new`);
      expect(await labels()).toContain('URL of the incoming webhook');
      expect(await labels()).not.toContain('Recipients');
      await page.getByLabel('Where').selectOption('mail');
      expect(await labels()).toContain('Recipients');
      expect(await labels()).not.toContain('URL of the incoming webhook');
    },
    PATIENCE_MS,
  );

  it(
    'a filter of the assets applies at once, and the address names it',
    async () => {
      await make.asset(tenant.id, { value: 'https://shown.example/', type: 'url' });
      await make.asset(tenant.id, { value: 'left-out.example', type: 'domain' });
      await page.goto(`${portal.url}/o/${tenant.id}/assets`);
      await page.getByRole('link', { name: 'left-out.example' }).waitFor();
      const type = page.locator('.filters select[name=type]');
      await type.selectOption('url');
      await page.getByRole('link', { name: 'left-out.example' }).waitFor({ state: 'detached' });
      expect(await page.getByRole('link', { name: 'https://shown.example/' }).count()).toBe(1);
      expect(new URL(page.url()).searchParams.get('type')).toBe('url');
      expect(await type.inputValue()).toBe('url');
    },
    PATIENCE_MS,
  );
});
