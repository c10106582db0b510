import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { titleKeyOf } from '../../src/modules/findings/domain/fingerprint';
import { useApi, useWorker } from '../support/api';
import { describeInBrowser, useBrowser, windowOf } from '../support/chromium';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { usePortal } from '../support/portal';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };

/** For work that a busy machine delays. */
const PATIENCE_MS = 90_000;
/** Of one daily job, from the home. */
const MAX_CLICKS = 3;

/** A person at the home of an organization, whose clicks are counted. Typing, and choosing in a field, are none. */
class Visitor {
  clicks = 0;

  constructor(readonly page: Page) {}

  async click(what: Locator): Promise<void> {
    this.clicks += 1;
    await what.click();
  }

  /** Opens the palette, types and chooses the first: one click, or one key. */
  async command(text: string): Promise<void> {
    this.clicks += 1;
    // The script of the page shows it, and listens from then on.
    await this.page.locator('#open-palette').waitFor();
    await this.page.keyboard.press('Control+k');
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }
}

const CLAIMS = 5_000;
const TITLES = ['Outdated jQuery 1.12.4', 'SQL injection in the parameter id', 'Directory listing is enabled'];

/** What a spreadsheet claims: rows of all severities, of which no check has seen anything. */
const addClaims = (organizationId: number) =>
  query(
    `INSERT INTO findings (organization_id, asset_value, title, title_key, severity, priority, fingerprint, verification_reason)
     SELECT $1, 'host-' || n % 97 || '.example.com', t.title, t.key, 1 + n % 5, 5 - n % 5, decode(md5(n::text), 'hex'),
       CASE WHEN n % 2 = 0 THEN 'Not tested.' END
     FROM generate_series(1, $4::int) n JOIN unnest($2::text[], $3::bigint[]) WITH ORDINALITY t (title, key, at) ON t.at = 1 + n % 3`,
    [organizationId, TITLES, TITLES.map(titleKeyOf), CLAIMS],
  );

describeInBrowser('a daily job takes at most three clicks from the home', () => {
  const api = useApi(engine);
  useWorker(engine);
  const portal = usePortal(api);
  const make = new Factories(api);
  const browser = useBrowser();
  beforeAll(() => site.start());
  afterAll(() => site.stop());

  let full: Tenant;
  beforeAll(async () => {
    full = await make.organization();
    await addClaims(full.id);
  });

  /** Anew, or one for all jobs with thousands of claims. */
  const organizations: Readonly<Record<string, () => Promise<Tenant>>> = {
    'in a small organization': () => make.organization(),
    'with 5,000 claimed rows': async () => full,
  };

  const home = ({ page }: Visitor, { id }: Tenant) => page.goto(`${portal.url}/o/${id}`);

  async function assetIn(tenant: Tenant, value: string, type: 'url' | 'domain') {
    const [known] = await query<{ id: number }>('SELECT id FROM assets WHERE organization_id = $1 AND value = $2', [
      tenant.id,
      value,
    ]);
    return { id: known?.id ?? (await make.asset(tenant.id, { value, type })).id, value, tier: null };
  }

  /** A job has seen it. */
  const proved = (tenant: Tenant) => make.finding(tenant.id, { severity: 'critical', jobUuid: randomUUID() });

  /** A critical finding of the site, which a check can test. */
  async function criticalFinding(tenant: Tenant) {
    const asset = await assetIn(tenant, site.url, 'url');
    const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
    return make.finding(tenant.id, { severity: 'critical', asset, jobUuid: randomUUID(), ...check });
  }

  describe.each(Object.keys(organizations))('%s', (kind) => {
    async function inOrganization(job: (visitor: Visitor, tenant: Tenant, userId: number) => Promise<void>) {
      const tenant = await (organizations[kind] as () => Promise<Tenant>)();
      const person = await tenant.as('owner');
      const context = await windowOf(browser, { api, portal, person });
      const page = await context.newPage();
      const visitor = new Visitor(page);
      await job(visitor, tenant, person.userId);
      await context.close();
      expect(visitor.clicks).toBeGreaterThan(0);
      expect(visitor.clicks).toBeLessThanOrEqual(MAX_CLICKS);
    }

    it('opens the most urgent finding', () =>
      inOrganization(async (visitor, tenant) => {
        await make.finding(tenant.id, { severity: 'high' });
        const { id, title } = await proved(tenant);
        await home(visitor, tenant);
        await visitor.click(visitor.page.getByRole('link', { name: title }).first());
        await visitor.page.waitForURL(`**/findings/${id}`);
      }));

    it('assigns a finding to oneself', () =>
      inOrganization(async (visitor, tenant, userId) => {
        const { id, title } = await proved(tenant);
        await home(visitor, tenant);
        await visitor.click(visitor.page.getByRole('link', { name: title }).first());
        await visitor.click(visitor.page.getByRole('button', { name: 'Assign to me' }));
        await visitor.page.getByText('The assignee was changed.').waitFor();
        expect(await query('SELECT assignee_id AS "to" FROM findings WHERE id = $1', [id])).toEqual([{ to: userId }]);
      }));

    it('comments on a finding', () =>
      inOrganization(async (visitor, tenant) => {
        const { title } = await proved(tenant);
        await home(visitor, tenant);
        await visitor.click(visitor.page.getByRole('link', { name: title }).first());
        await visitor.page.getByRole('textbox', { name: 'Comment' }).fill('The patch is **ready**.');
        await visitor.click(visitor.page.getByRole('button', { name: 'Comment', exact: true }));
        await visitor.page.locator('.comment strong', { hasText: 'ready' }).waitFor();
      }));

    it('retests a finding and downloads the signed proof', () =>
      inOrganization(async (visitor, tenant) => {
        const { title } = await criticalFinding(tenant);
        const { page } = visitor;
        await home(visitor, tenant);
        await visitor.click(page.getByRole('link', { name: title }).first());
        await visitor.click(page.getByRole('button', { name: 'Retest', exact: true }));
        await page.locator('.verdict.still_vulnerable').first().waitFor({ timeout: PATIENCE_MS });
        const download = page.waitForEvent('download');
        await visitor.click(page.getByRole('link', { name: /signed/i }).first());
        expect((await download).suggestedFilename()).toMatch(/\.json$/);
      }));

    it('accepts a risk until a day', () =>
      inOrganization(async (visitor, tenant) => {
        const { id, title } = await proved(tenant);
        const { page } = visitor;
        await home(visitor, tenant);
        await visitor.click(page.getByRole('link', { name: title }).first());
        await page.waitForURL(/\/findings\/\d+$/);
        await visitor.command('accept risk');
        await page.locator('#accept-risk').getByLabel('Last day').fill('2027-12-31');
        await page.locator('#accept-risk').getByLabel('Why').fill('It is replaced next year.');
        await visitor.click(page.locator('#accept-risk').getByRole('button', { name: 'Accept the risk' }));
        await page.getByText('Risk accepted').first().waitFor();
        expect(await query('SELECT status FROM findings WHERE id = $1', [id])).toEqual([{ status: 6 }]);
      }));

    it('scans a URL', () =>
      inOrganization(async (visitor, tenant) => {
        await assetIn(tenant, site.url, 'url');
        await home(visitor, tenant);
        await visitor.click(visitor.page.getByRole('link', { name: 'Scans', exact: true }));
        await visitor.page.getByLabel('URL', { exact: true }).fill(site.url);
        await visitor.click(visitor.page.getByRole('button', { name: 'Scan', exact: true }));
        await visitor.page.waitForURL(/\/scans\/[0-9a-f-]{36}$/);
      }));

    it('imports the file of a scanner', () =>
      inOrganization(async (visitor, tenant) => {
        await assetIn(tenant, 'shop.example.com', 'domain');
        const text = 'Title,Severity,URL\nOld login page,High,https://shop.example.com/login\n';
        const file = { name: 'findings.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
        await home(visitor, tenant);
        await visitor.click(visitor.page.getByRole('link', { name: 'Findings', exact: true }));
        await visitor.click(visitor.page.getByRole('link', { name: 'Import a file' }));
        await visitor.page.locator('input[type=file]').setInputFiles(file);
        await visitor.click(visitor.page.locator('form:has(input[type=file]) button.primary'));
        await visitor.page.waitForURL(/\/imports\/\d+$/);
      }));

    it('invites a person', () =>
      inOrganization(async (visitor, tenant) => {
        await home(visitor, tenant);
        await visitor.command('invite a person');
        await visitor.page.getByLabel('E-mail address').fill('new.person@example.com');
        await visitor.click(visitor.page.getByRole('button', { name: /the invitation/ }));
        await visitor.page.locator('[data-secret]').waitFor();
      }));

    it('makes a key for a pipeline', () =>
      inOrganization(async (visitor, tenant) => {
        await home(visitor, tenant);
        await visitor.command('new api key');
        await visitor.page.getByLabel('Label').fill('Shop pipeline');
        await visitor.click(visitor.page.getByRole('button', { name: 'Create the key' }));
        await visitor.page.locator('[data-secret]').first().waitFor();
      }));

    it('orders a report', () =>
      inOrganization(async (visitor, tenant) => {
        await make.finding(tenant.id);
        await home(visitor, tenant);
        await visitor.click(visitor.page.getByRole('link', { name: 'Reports', exact: true }));
        await visitor.click(visitor.page.getByRole('link', { name: 'New report' }));
        await visitor.click(visitor.page.locator('main form[method=post] button.primary'));
        await visitor.page.waitForURL(/\/reports\/\d+$/);
      }));

    it('orders a report of the event that the form shows, without another click', () =>
      inOrganization(async (visitor, tenant) => {
        await make.finding(tenant.id);
        await make.event(tenant.id, { name: 'Pentest of the shop' });
        await home(visitor, tenant);
        await visitor.click(visitor.page.getByRole('link', { name: 'Reports', exact: true }));
        await visitor.click(visitor.page.getByRole('link', { name: 'New report' }));
        await visitor.page.getByLabel('About').selectOption({ label: 'Event Pentest of the shop' });
        await visitor.click(visitor.page.getByRole('button', { name: 'Generate the report' }));
        await visitor.page.waitForURL(/\/reports\/\d+$/);
        await visitor.page.getByRole('heading', { name: 'Report of Pentest of the shop' }).waitFor();
      }));
  });
});
