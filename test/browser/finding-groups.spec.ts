import { titleKeyOf } from '../../src/modules/findings/domain/fingerprint';
import { useApi, useWorker } from '../support/api';
import { describeInBrowser, useBrowser, windowOf } from '../support/chromium';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { usePortal } from '../support/portal';

const TITLES = [
  'Strict-Transport-Security is missing',
  'The server supports TLS 1.0',
  'Outdated jQuery 1.12.4',
  'Directory listing is enabled',
  'SQL injection in the parameter q',
];

describeInBrowser('equal findings in a browser', () => {
  const api = useApi();
  useWorker();
  const portal = usePortal(api);
  const make = new Factories(api);
  const browser = useBrowser();

  it('open in their place while the selection stays, and are all changed by the box of their row', async () => {
    const tenant = await make.organization();
    await query(
      `INSERT INTO findings (organization_id, asset_value, title, title_key, severity, priority, fingerprint, verification, verification_reason)
       SELECT $1, 'host-' || n || '.example.com', t.title, t.key, 1 + t.at % 5, 5 - t.at % 5, decode(md5(n::text), 'hex'),
         CASE WHEN n % 97 = 0 THEN 'confirmed' WHEN n % 101 = 0 THEN 'refuted' ELSE 'untested' END, 'Not tested.'
       FROM generate_series(1, 5000) n JOIN unnest($2::text[], $3::bigint[]) WITH ORDINALITY t (title, key, at) ON t.at = 1 + n % $4`,
      [tenant.id, TITLES, TITLES.map(titleKeyOf), TITLES.length],
    );
    await make.finding(tenant.id, { title: 'An .env file with secrets is public', severity: 'high' });
    const person = await tenant.as('admin');
    const context = await windowOf(browser, { api, portal, person }, { viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${portal.url}/o/${tenant.id}/findings`);
    expect(await page.locator('.findings tbody tr').count()).toBe(TITLES.length + 1);
    await page.evaluate('window.isSamePage = true');
    const group = page.locator('.findings tr.group', { hasText: 'SQL injection' });
    await group.getByRole('checkbox').check();
    expect(await page.locator('.selected-count').textContent()).toBe('1,000 selected');
    await page.locator('.findings tr.group', { hasText: 'jQuery' }).getByRole('link').click();
    await page.locator('.findings tr.of-group').first().waitFor();
    expect(await page.locator('.findings tr.of-group').count()).toBe(20);
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    await page.getByRole('link', { name: 'Next findings' }).click();
    await page.getByText('21–40 of 1,000').waitFor();
    expect(page.url()).toContain('part=2');
    expect(await group.getByRole('checkbox').isChecked()).toBe(true);
    await page.locator('.bulk-bar summary', { hasText: 'Labels' }).click();
    await page.locator('#bulk-labels').fill('shop');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('1,000 findings would change').waitFor();
    await page.getByRole('button', { name: 'Change 1,000 findings' }).click();
    await page.getByText('1,000 findings changed').waitFor({ timeout: 120_000 });
    const changed = await query(
      `SELECT title, count(*)::int AS count FROM findings WHERE organization_id = $1 AND labels = '{shop}' GROUP BY 1`,
      [tenant.id],
    );
    expect(changed).toEqual([{ title: 'SQL injection in the parameter q', count: 1000 }]);
    await context.close();
  });
});
