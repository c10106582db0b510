import { gzipSync } from 'node:zlib';
import { RequestMethod } from '@nestjs/common';
import { source as axeSource } from 'axe-core';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { stepAt, totpCode } from '../../src/kernel/totp';
import { useApi, useWorker } from '../support/api';
import { base32Bytes } from '../support/base32';
import { describeInBrowser, useBrowser, windowOf as signedInWindow } from '../support/chromium';
import { query } from '../support/database';
import { Factories, type Person, type Tenant, unique } from '../support/factories';
import { PASSWORD, signedInAs, usePortal } from '../support/portal';
import { fillPath, portalRoutes } from '../support/portal-routes';
import { recordsOf } from '../support/records';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = {
  IMPORT_MAX_MEGABYTES: '1',
  EGRESS_ALLOW: site.endpoint,
  ENGINE_PROBE_SPREAD_MS: '20',
  ENGINE_REQUESTS_PER_SECOND: '1000',
};

/** For work that a busy machine delays. */
const PATIENCE_MS = 90_000;

const WIDTHS = [360, 390, 768, 1280, 1440, 1920];
const MAX_BYTES = 100 * 1024;
/** What depends on colors and on the width. */
const IN_THE_DARK = ['color-contrast', 'target-size'];
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const LONG = 'x'.repeat(200);
const ARABIC = 'مستودع جيت متاح للعموم على الخادم';
const JAPANESE = 'サーバー上の Git リポジトリが公開されている';

/**
 * Types into each form of a page, leaves the page and comes back as after a sign-in. Gives the forms that lost a text, or kept a
 * password.
 */
const LOST_FORMS = `(() => {
  const lost = [];
  for (const form of document.querySelectorAll('form[method=post]')) {
    const typed = [...form.elements].filter(({ type }) => ['text', 'textarea', 'url', 'email', 'password'].includes(type));
    if (typed.length === 0) continue;
    for (const field of typed) {
      field.value = 'typed';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    dispatchEvent(new Event('pagehide'));
    for (const field of typed) field.value = '';
    const kept = JSON.parse(sessionStorage.getItem('kept-form') ?? 'null');
    sessionStorage.setItem('kept-form', JSON.stringify({ ...kept, isLost: true }));
    dispatchEvent(new Event('pageshow'));
    const isSecret = ({ type, autocomplete, dataset }) =>
      type === 'password' || autocomplete === 'one-time-code' || 'unkept' in dataset;
    for (const field of typed)
      if ((field.value === 'typed') === isSecret(field)) lost.push(form.getAttribute('action') + ' ' + field.name);
  }
  return document.body.dataset.user ? lost : [];
})()`;

describeInBrowser('the portal in a browser', () => {
  const api = useApi(engine);
  useWorker(engine);
  const portal = usePortal(api);
  const make = new Factories(api);
  const browser = useBrowser();
  beforeAll(() => site.start());
  afterAll(() => site.stop());

  const emailOf = async ({ userId }: Person): Promise<string> =>
    (await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]))[0]?.email ?? '';

  const windowOf = (person: Person, options?: BrowserContextOptions): Promise<BrowserContext> =>
    signedInWindow(browser, { api, portal, person }, options);

  /** What axe-core finds wrong. The page has its script. */
  async function violationsOf(page: Page, runOnly = WCAG): Promise<string[]> {
    const options = { runOnly, resultTypes: ['violations'], preload: false, iframes: false };
    return page.evaluate<string[]>(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => id + ': ' + target + ': ' + failureSummary)))`,
    );
  }

  describe('on every page', () => {
    /** A page as the server sends it. */
    interface Sent {
      readonly path: string;
      readonly html: string;
    }

    interface Visit {
      readonly path: string;
      readonly violations: string[];
      /** Errors of the console and of scripts, refusals of the content security policy, and answers with an error. */
      readonly messages: string[];
      readonly tooWide: string[];
      readonly bytes: number;
      readonly isShownWithoutScripts: boolean;
      /** Forms that did not show what was typed after the session had ended. */
      readonly lostForms: readonly string[];
    }
    const visits: Visit[] = [];

    /** Long texts, and texts from right to left and without spaces. */
    async function addDifficultTexts({ id }: Tenant): Promise<void> {
      for (const title of [LONG, ARABIC, JAPANESE])
        await make.finding(id, { title, severity: 'high', md: `${title}\n\n| a | b |\n|---|---|\n| ${LONG} | b |` });
      await query('UPDATE organizations SET name = $2 WHERE id = $1', [id, unique('O'.repeat(80))]);
    }

    /** The paths that answer with a page: others are downloads, live parts of pages, and redirections. */
    async function pagesOf(owner: Person, ids: object): Promise<Sent[]> {
      const client = await signedInAs(api, portal, owner);
      const given = new Set(Object.keys(ids));
      const paths = portalRoutes(portal)
        .filter(({ method }) => method === RequestMethod.GET)
        .filter(({ path }) => [...path.matchAll(/:(\w+)/g)].every(([, name = '']) => given.has(name)))
        .map(({ path }) => fillPath(path, ids));
      const pages: Sent[] = [];
      for (const path of paths) {
        const answer = await client.events(path);
        const isHtml = answer.response.status === 200 && answer.response.headers.get('content-type')?.includes('html');
        const html = isHtml === true ? await answer.readToEnd() : '';
        if (html.startsWith('<!doctype html><html lang="en">')) pages.push({ path, html });
        await answer.cancel();
      }
      return pages;
    }

    const compressed = (text: string): number => gzipSync(text).length;
    const assetSizes = new Map<string, Promise<number>>();

    /** Of a style sheet or script, which is the same on every page. */
    function sizeOf(path: string): Promise<number> {
      const size =
        assetSizes.get(path) ?? fetch(portal.url + path).then(async (answer) => compressed(await answer.text()));
      assetSizes.set(path, size);
      return size;
    }

    /** What the server sends, before any script runs. */
    async function read({ path, html }: Sent): Promise<Pick<Visit, 'bytes' | 'isShownWithoutScripts'>> {
      const files = [...html.matchAll(/<(?:link rel="stylesheet" href|script src)="([^"]+)"/g)];
      const sizes = await Promise.all(files.map(([, file = '']) => sizeOf(file)));
      expect({ path, files: files.length }).toEqual({ path, files: 3 });
      const content = /<main [^>]*>([^]*)<\/main>/.exec(html)?.[1] ?? '';
      const text = content.replaceAll(/<([a-z]+)[^>]* hidden[^]*?<\/\1>|<[^>]*>/g, '').trim();
      return {
        bytes: sizes.reduce((sum, size) => sum + size, compressed(html)),
        isShownWithoutScripts: text.length > 10,
      };
    }

    /** Looks at one page after the other in the same tab. */
    class Visitor {
      private messages: string[] = [];
      private hasSeenFrame = false;

      constructor(private readonly page: Page) {
        page.on('console', (message) => {
          if (['error', 'warning'].includes(message.type())) this.messages.push(message.text());
        });
        page.on('pageerror', (error) => this.messages.push(String(error)));
        page.on('response', (response) => {
          if (response.status() >= 400) this.messages.push(`${response.status()} ${response.url()}`);
        });
      }

      /** Loads the page once. */
      async visit(sent: Sent): Promise<Visit> {
        const { page } = this;
        this.messages = [];
        await page.emulateMedia({ colorScheme: 'light' });
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.goto(portal.url + sent.path, { waitUntil: 'load' });
        await page.evaluate(axeSource);
        const violations = await this.violations('light, 1280 px');
        const tooWide: string[] = [];
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 900 });
          const used = await page.evaluate<number>('document.documentElement.scrollWidth');
          if (used > width) tooWide.push(`${used} px at ${width} px`);
        }
        // As on a phone at night: the frame is another one there, which the first page shows, and the colors are.
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.setViewportSize({ width: 360, height: 800 });
        violations.push(...(await this.violations('dark, 360 px', this.hasSeenFrame ? IN_THE_DARK : WCAG)));
        this.hasSeenFrame = true;
        const lostForms = await page.evaluate<string[]>(LOST_FORMS);
        return { path: sent.path, violations, tooWide, messages: this.messages, lostForms, ...(await read(sent)) };
      }

      private async violations(shown: string, rules = WCAG): Promise<string[]> {
        const texts = await violationsOf(this.page, rules);
        return texts.map((text) => `${shown}: ${text}`);
      }
    }

    beforeAll(async () => {
      const [full, empty] = [await make.organization(), await make.organization()];
      const [owner, ownerOfNothing] = [await full.as('owner'), await empty.as('owner')];
      const ids = { ...(await recordsOf(full.id, owner)), organization: full.id };
      await addDifficultTexts(full);
      for (const [person, given] of [
        [owner, ids],
        [ownerOfNothing, { organization: empty.id }],
      ] as const) {
        const context = await windowOf(person);
        const visitor = new Visitor(await context.newPage());
        for (const sent of await pagesOf(person, given)) visits.push(await visitor.visit(sent));
        await context.close();
      }
      const anyone = await browser.newContext({ reducedMotion: 'reduce' });
      const html = await (await fetch(`${portal.url}/sign-in`)).text();
      visits.push(await new Visitor(await anyone.newPage()).visit({ path: '/sign-in', html }));
      await anyone.close();
      expect(visits.length).toBeGreaterThan(30);
    }, 10 * PATIENCE_MS);

    const failing = (problemsOf: (visit: Visit) => readonly string[]) =>
      visits.flatMap((visit) => problemsOf(visit).map((problem) => `${visit.path}: ${problem}`));

    it('axe-core finds no violation of WCAG 2.2 AA, light and dark', () => {
      expect(failing(({ violations }) => violations)).toEqual([]);
    });

    it('every form shows what was typed into it before the session ended, without passwords', () => {
      expect(failing(({ lostForms }) => lostForms)).toEqual([]);
    });

    it('no script fails, nothing is missing, and nothing is against the content security policy', () => {
      expect(failing(({ messages }) => messages)).toEqual([]);
    });

    it('nothing scrolls sideways at 360, 390, 768, 1280, 1440 and 1920 px', () => {
      expect(failing(({ tooWide }) => tooWide)).toEqual([]);
    });

    it('the content is there without scripts', () => {
      expect(failing(({ isShownWithoutScripts }) => (isShownWithoutScripts ? [] : ['nothing is shown']))).toEqual([]);
    });

    it('at most 100 KB are sent, with style sheet and scripts', () => {
      expect(failing(({ bytes }) => (bytes < MAX_BYTES ? [] : [`${bytes} bytes`]))).toEqual([]);
      expect(Math.min(...visits.map(({ bytes }) => bytes))).toBeGreaterThan(5_000);
    });
  });

  it('signs in, opens a finding, and shows its retest until it is fixed, without loading the page again', async () => {
    const tenant = await make.organization();
    const member = await tenant.as('member');
    await signedInAs(api, portal, member);
    const asset = await make.asset(tenant.id, { value: site.url, type: 'url' });
    const check = { checkId: 'missing-nosniff', checkDefinition: { location: site.url } };
    const { title, id } = await make.finding(tenant.id, { asset: { ...asset, tier: null }, ...check });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${portal.url}/o/${tenant.id}/findings`);
    await page.getByLabel('E-mail address').fill(await emailOf(member));
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: title }).click();
    await page.getByRole('button', { name: 'Retest', exact: true }).click();
    await page.locator('.verdict.still_vulnerable').first().waitFor({ timeout: PATIENCE_MS });
    site.state = 'fixed';
    site.hold();
    await page.getByRole('button', { name: 'Retest', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the retest' }).waitFor();
    await page.evaluate('document.body.dataset.loaded = "once"');
    site.release();
    await page.locator('.verdict.fixed').first().waitFor({ timeout: PATIENCE_MS });
    expect(await page.evaluate('document.body.dataset.loaded')).toBe('once');
    const [finding] = await query<{ status: number }>('SELECT status FROM findings WHERE id = $1', [id]);
    expect(finding?.status).toBe(5);
    await page.locator('header .menu summary').click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail address').waitFor();
    await context.close();
  });

  it('assigns a finding in one click, takes it back, and sets a due date with the keyboard', async () => {
    const tenant = await make.organization();
    const person = await tenant.as('member');
    const { id } = await make.finding(tenant.id, { severity: 'high' });
    const stored = async () =>
      (await query('SELECT assignee_id AS assignee, due_date::text AS due FROM findings WHERE id = $1', [id]))[0];
    const before = await stored();
    const context = await windowOf(person);
    const page = await context.newPage();
    await page.goto(`${portal.url}/o/${tenant.id}/findings/${id}`);
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText('The assignee was changed.').waitFor();
    expect(await stored()).toEqual({ ...before, assignee: person.userId });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Assign to me' }).waitFor();
    expect(await stored()).toEqual(before);
    const due = page.locator('.property', { hasText: 'Due' });
    await due.locator('summary').press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await due.getByRole('button', { name: 'In 7 days' }).waitFor({ state: 'hidden' });
    await page.keyboard.press('Enter');
    await due.getByRole('button', { name: 'In 7 days' }).press('Enter');
    await page.getByText('The due date was changed.').waitFor();
    expect(await stored()).not.toEqual(before);
    await context.close();
  });

  it('offers to take a change back for ten seconds', async () => {
    const tenant = await make.organization();
    const { id } = await make.finding(tenant.id);
    const context = await windowOf(await tenant.as('member'));
    const page = await context.newPage();
    await page.goto(`${portal.url}/o/${tenant.id}/findings/${id}`);
    await page.getByRole('button', { name: 'Assign to me' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await undo.waitFor({ state: 'hidden', timeout: PATIENCE_MS });
    await page.getByText('The assignee was changed.').waitFor();
    await context.close();
  });

  it('opens the form of a new asset at the right, with the keyboard and without scripts', async () => {
    const tenant = await make.organization();
    const context = await windowOf(await tenant.as('admin'));
    const storageState = await context.storageState();
    const unscripted = await browser.newContext({ storageState, javaScriptEnabled: false });
    for (const [window, value] of [
      [context, 'scripts.example.com'],
      [unscripted, 'plain.example.com'],
    ] as const) {
      const page = await window.newPage();
      await page.goto(`${portal.url}/o/${tenant.id}/assets`);
      const field = page.getByLabel('Value');
      await field.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Add an asset' }).press('Enter');
      await field.waitFor();
      await page.keyboard.press('Escape');
      await field.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Add an asset' }).press('Enter');
      await field.fill('not a host');
      await page.getByRole('button', { name: 'Add the asset' }).click();
      // In the page, with what was typed.
      await page.getByRole('alert').waitFor();
      expect(await field.inputValue()).toBe('not a host');
      await field.fill(value);
      await page.getByRole('button', { name: 'Add the asset' }).press('Enter');
      await page.waitForURL(/\/assets\/\d+$/);
    }
    await context.close();
    await unscripted.close();
  });

  it('selects findings by keys and changes them together, and the dialog says which keys there are', async () => {
    const tenant = await make.organization();
    const ids: number[] = [];
    for (let number = 0; number < 3; number++) ids.unshift((await make.finding(tenant.id)).id);
    const context = await windowOf(await tenant.as('member'));
    const page = await context.newPage();
    await page.goto(`${portal.url}/o/${tenant.id}/findings`);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    await page.getByText('2 selected').waitFor();
    await page.locator('.bulk-bar summary', { hasText: 'Status' }).click();
    await page.getByRole('button', { name: 'Change the status' }).click();
    await page.getByRole('status').first().waitFor();
    const rows = await query<{ id: number }>(
      'SELECT id FROM findings WHERE id = ANY($1) AND status = 3 ORDER BY id DESC',
      [ids],
    );
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    await page.keyboard.press('/');
    await page.keyboard.type('no such finding');
    await page.keyboard.press('Enter');
    await page.getByText('No finding matches').waitFor();
    await context.close();
  });

  it('filters the list of findings at once, and keeps the filter in the address', async () => {
    const tenant = await make.organization();
    const low = await make.finding(tenant.id, { severity: 'low' });
    const high = await make.finding(tenant.id, { severity: 'high' });
    const context = await windowOf(await tenant.as('member'));
    const page = await context.newPage();
    const list = `${portal.url}/o/${tenant.id}/findings`;
    await page.goto(list);
    await page.evaluate(() => document.body.setAttribute('data-same', ''));
    await page.locator('summary', { hasText: '+ Filter' }).click();
    await page.locator('select[name=severity]').selectOption('high');
    await page.waitForURL(`${list}?severity=high&open=true&sort=priority`);
    await page.getByText(low.title).waitFor({ state: 'detached' });
    await page.locator('#select-all').check();
    await page.getByText('1 selected').waitFor();
    expect(await page.locator('body[data-same]').count()).toBe(1);
    await page.goBack();
    await page.getByText(low.title).waitFor();
    await page.getByText(high.title).waitFor();
    await context.close();
  });

  it('goes to pages, finds a finding and changes it from the palette, with keys alone', async () => {
    const tenant = await make.organization();
    const { id, title } = await make.finding(tenant.id, { title: unique('Rare') });
    const person = await tenant.as('admin');
    const context = await windowOf(person);
    const page = await context.newPage();
    await page.goto(`${portal.url}/settings/security`);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Commands' });
    await palette.getByRole('link', { name: 'Home' }).waitFor();
    await page.evaluate(axeSource);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Scan a URL');
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'hidden' });

    // At once, before the server has answered.
    await page.keyboard.press('Control+k');
    await page.keyboard.type(title);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/o/${tenant.id}/findings/${id}`);

    await page.getByRole('button', { name: 'Commands' }).click();
    await page.keyboard.type('assign');
    await palette.getByRole('button', { name: 'Assign to me' }).waitFor();
    await page.keyboard.press('Enter');
    await palette.waitFor({ state: 'hidden' });
    expect(await query('SELECT assignee_id AS "to" FROM findings WHERE id = $1', [id])).toEqual([
      { to: person.userId },
    ]);

    await page.keyboard.press('Control+k');
    await page.keyboard.type('accept risk');
    await palette.getByRole('link', { name: 'Accept risk' }).waitFor();
    await page.keyboard.press('Enter');
    await palette.waitFor({ state: 'hidden' });
    expect(await page.evaluate('document.activeElement.name')).toBe('comment');
    await context.close();
  });

  it('opens the sidebar as a sheet on a phone, without scripts, and has the other organization there', async () => {
    const [tenant, other] = [await make.organization(), await make.organization()];
    const person = await tenant.as('member');
    await make.membership(person.userId, other.id, 'member');
    const viewport = { width: 360, height: 800 };
    const context = await windowOf(person, { viewport });
    const storageState = await context.storageState();
    const unscripted = await browser.newContext({ viewport, storageState, javaScriptEnabled: false });
    const open = async (page: Page): Promise<Locator> => {
      await page.goto(`${portal.url}/o/${tenant.id}/findings`);
      const sidebar = page.getByRole('navigation', { name: 'Main' });
      await sidebar.waitFor({ state: 'hidden' });
      await page.getByRole('button', { name: 'Menu' }).press('Enter');
      await sidebar.locator('.switcher summary').click();
      return sidebar;
    };

    const page = await context.newPage();
    const sheet = await open(page);
    await page.evaluate(axeSource);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    const plainPage = await unscripted.newPage();
    await (await open(plainPage)).locator(`a[href="/o/${other.id}"]`).click();
    await plainPage.waitForURL(`**/o/${other.id}`);
    await context.close();
    await unscripted.close();
  });

  it('makes a key whose command works, shows when it was used, and revokes it', async () => {
    const tenant = await make.organization();
    const person = await tenant.as('admin');
    const context = await windowOf(person);
    const page = await context.newPage();
    await page.goto(`${portal.url}/settings/api`);
    await page.locator('summary', { hasText: 'New key' }).click();
    await page.getByLabel('Label').fill('of the pipeline');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const command = (await page.locator('#curl').textContent()) ?? '';
    const authorization = `Basic ${Buffer.from(/-u '([^']*)'/.exec(command)?.[1] ?? '').toString('base64')}`;
    const use = async (): Promise<number> => (await fetch(`${api.url}/v1/me`, { headers: { authorization } })).status;
    expect(await use()).toBe(200);
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(`${portal.url}/settings/api`);
    const row = page.locator('tr', { hasText: 'of the pipeline' });
    expect(await row.locator('[data-label="Last used"]').textContent()).not.toBe('never');
    await row.locator('summary', { hasText: 'Revoke' }).click();
    await row.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('Revoked and expired keys').waitFor();
    expect(await use()).toBe(401);
    await context.close();
  });

  it('scans a site live, to the answer of the gate, without loading the page again', async () => {
    const tenant = await make.organization();
    await make.asset(tenant.id, { value: site.url, type: 'url' });
    const context = await windowOf(await tenant.as('member'));
    const page = await context.newPage();
    site.state = 'vulnerable';
    site.hold();
    await page.goto(`${portal.url}/o/${tenant.id}/scans`);
    await page.getByLabel('URL', { exact: true }).fill(site.url);
    await page.getByRole('button', { name: 'Scan', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel the scan' }).waitFor();
    await page.evaluate('document.body.dataset.loaded = "once"');
    site.release();
    const gate = page.getByRole('status').filter({ hasText: 'Gate' });
    await gate.getByText('fails', { exact: false }).waitFor({ timeout: PATIENCE_MS });
    expect(await page.evaluate('document.body.dataset.loaded')).toBe('once');
    const found = await query<{ title: string }>('SELECT title FROM findings WHERE organization_id = $1', [tenant.id]);
    expect(found.length).toBeGreaterThan(0);
    const table = page.getByRole('table');
    for (const { title } of found) await table.getByRole('link', { name: title }).waitFor();
    await context.close();
  });

  it('imports the file of a scanner live, and says why a large one is refused', async () => {
    const tenant = await make.organization();
    const { value: host } = await make.asset(tenant.id);
    const context = await windowOf(await tenant.as('member'));
    const page = await context.newPage();
    const upload = async (text: string): Promise<void> => {
      await page.goto(`${portal.url}/o/${tenant.id}/imports`);
      const file = { name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
      await page.getByLabel('File', { exact: true }).setInputFiles(file);
      await page.getByRole('button', { name: 'Upload' }).click();
    };
    await upload('x'.repeat(3 * 1_048_576));
    await page.getByRole('alert').filter({ hasText: 'The file must be at most 1048576 bytes.' }).waitFor();
    expect(await page.title()).toContain('Imports');
    await upload(`title,severity,rule_id,url\nGit repository,high,git,https://${host}/.git/\n`);
    await page.getByText('This was a dry run').waitFor({ timeout: PATIENCE_MS });
    await page.getByRole('row', { name: 'Git repository' }).getByText('New').waitFor();
    await page.getByRole('link', { name: 'New 1' }).click();
    await page.getByText('the import creates one').waitFor();
    await context.close();
  });

  it('turns on an authenticator app, and then needs its code to sign in', async () => {
    const person = await (await make.organization()).as('member');
    const email = await emailOf(person);
    const context = await windowOf(person);
    const page = await context.newPage();
    await page.goto(`${portal.url}/settings/security`);
    await page.locator('summary', { hasText: 'Set up an app' }).click();
    await page.locator('#begin-password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Continue' }).click();
    const uri = new URL((await page.getByRole('link', { name: 'open it in an app' }).getAttribute('href')) ?? '');
    const secret = base32Bytes(uri.searchParams.get('secret') ?? '');
    const first = stepAt(new Date());
    await page.getByLabel('Code of the app').fill(totpCode(secret, first));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.locator('#recovery-codes').waitFor();
    await context.close();

    const other = await browser.newContext();
    const signIn = await other.newPage();
    await signIn.goto(`${portal.url}/settings/sessions`);
    await signIn.getByLabel('E-mail address').fill(email);
    await signIn.getByLabel('Password').fill(PASSWORD);
    await signIn.getByRole('button', { name: 'Sign in', exact: true }).click();
    await signIn.getByLabel('Code').fill('000000x');
    await signIn.getByRole('button', { name: 'Sign in', exact: true }).click();
    await signIn.getByRole('alert').waitFor();
    // A code works once, and the next one works already.
    await signIn.getByLabel('Code').fill(totpCode(secret, Math.max(first + 1, stepAt(new Date()))));
    await signIn.getByRole('button', { name: 'Sign in', exact: true }).click();
    await signIn.waitForURL('**/settings/sessions');
    await other.close();
  });

  it('invites a person, who joins by the link, gets another role, and is removed', async () => {
    const tenant = await make.organization();
    const members = `${portal.url}/o/${tenant.id}/settings/members`;
    const email = `${unique('guest').replace(' ', '-').toLowerCase()}@example.com`;
    const context = await windowOf(await tenant.as('owner'));
    const page = await context.newPage();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.goto(members);
    await page.locator('summary', { hasText: 'Invite a person' }).click();
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Create the invitation' }).click();
    const link = new URL((await page.locator('#link').textContent()) ?? '');

    const guest = await browser.newContext();
    const joining = await guest.newPage();
    await joining.goto(portal.url + link.pathname);
    await joining.getByLabel('Password').fill(PASSWORD);
    await joining.getByRole('button', { name: 'Create your user and join' }).click();
    await joining.getByRole('navigation', { name: 'Main' }).waitFor();
    const statusOfGuest = async (): Promise<number | undefined> =>
      (await joining.goto(`${portal.url}/o/${tenant.id}/audit`))?.status();
    expect(await statusOfGuest()).toBe(403);

    await page.goto(members);
    const row = page.locator('tr', { hasText: email });
    await row.locator('summary', { hasText: 'Change role' }).click();
    await row.getByLabel('Role').selectOption('admin');
    await row.getByRole('button', { name: 'Change the role' }).click();
    await row.locator('[data-label="Role"]', { hasText: 'Admin' }).waitFor();
    expect(await statusOfGuest()).toBe(200);
    await row.locator('summary', { hasText: 'Remove' }).click();
    await row.getByRole('button', { name: 'Remove the member' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await statusOfGuest()).toBe(404);
    await guest.close();
    await context.close();
  });
});
