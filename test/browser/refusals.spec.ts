import { source as axeSource } from 'axe-core';
import type { Page } from 'playwright-core';
import { useApi, useWorker } from '../support/api';
import { describeInBrowser, useBrowser, windowOf } from '../support/chromium';
import { Factories } from '../support/factories';
import { usePortal } from '../support/portal';
import { refusedFindings } from '../support/refused-findings';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const PATIENCE_MS = 90_000;

describeInBrowser('refusals in a browser', () => {
  const api = useApi(engine);
  useWorker(engine);
  const portal = usePortal(api);
  const make = new Factories(api);
  const browser = useBrowser();
  const { refused, retest, job, copyOf } = refusedFindings(make, site);
  beforeAll(() => site.start());
  afterAll(() => site.stop());

  /** What axe-core finds wrong on a phone and a desktop, light and dark, and where the page is wider than the window. */
  async function problemsOf(page: Page, path: string): Promise<string[]> {
    const problems: string[] = [];
    await page.goto(portal.url + path, { waitUntil: 'load' });
    await page.evaluate(axeSource);
    for (const width of [390, 1440])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const found = await page.evaluate<string[]>(
          `axe.run(document, ${JSON.stringify({ runOnly: WCAG })}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
            nodes.map(({ target, failureSummary }) => id + ': ' + target + ': ' + failureSummary)))`,
        );
        const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth');
        problems.push(...found.map((one) => `${path} ${width} ${colorScheme}: ${one}`));
        if (isTooWide) problems.push(`${path} is wider than ${width} px`);
      }
    return problems;
  }

  it(
    'can be read and confirmed on a phone and a desktop, light and dark',
    async () => {
      site.state = 'exposed';
      const finding = await refused();
      const { tenant, id } = finding;
      const other = await copyOf(finding);
      site.state = 'refused';
      for (const one of [finding, other]) await retest(one);
      const { uuid } = await job(finding);
      const person = await tenant.as('admin');
      const window = await windowOf(browser, { api, portal, person });
      const page = await window.newPage();
      const findings = `/o/${tenant.id}/findings`;
      const ofBlocked = [`${findings}/${id}`, `${findings}/${id}/baseline/refusal`, `/o/${tenant.id}/scans/${uuid}`];
      for (const path of ofBlocked) expect(await problemsOf(page, path)).toEqual([]);
      await page.goto(`${portal.url}${findings}/${id}`);
      await page.getByRole('link', { name: 'Confirm that this refusal is the fix' }).click();
      await page.getByLabel('Why this refusal is the fix').fill('The server denies all files that begin with a dot.');
      await page.getByRole('button', { name: 'Confirm that this refusal is the fix' }).click();
      await page.getByText('Refusal confirmed').waitFor();
      for (const path of [`${findings}/${id}`, `${findings}/${id}/baseline`])
        expect(await problemsOf(page, path)).toEqual([]);
      await retest(finding);
      for (const path of [`${findings}/${id}`, `${findings}?open=false`])
        expect(await problemsOf(page, path)).toEqual([]);
      await window.close();
    },
    PATIENCE_MS,
  );
});
