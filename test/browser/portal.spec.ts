import { gzipSync } from 'node:zlib';
import { RequestMethod } from '@nestjs/common';
import { source as axeSource } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { Factories, type Person, type Tenant, unique } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';
import { fillPath, portalRoutes } from '../support/portal-routes';
import { browserBinary } from '../support/programs';
import { recordsOf } from '../support/records';
import { VulnerableSite } from '../support/vulnerable-site';

const site = new VulnerableSite();
const engine = { EGRESS_ALLOW: site.endpoint, ENGINE_PROBE_SPREAD_MS: '20', ENGINE_REQUESTS_PER_SECOND: '1000' };
const binary = browserBinary();

/** For work that a busy machine delays. */
const PATIENCE_MS = 90_000;

const WIDTHS = [360, 768, 1920];
const MAX_BYTES = 100 * 1024;
const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

const LONG = 'x'.repeat(200);
const ARABIC = 'مستودع جيت متاح للعموم على الخادم';
const JAPANESE = 'サーバー上の Git リポジトリが公開されている';

(binary === null ? describe.skip : describe)('the portal in a browser', () => {
  const api = useApi(engine);
  useWorker(engine);
  const portal = usePortal(api);
  const make = new Factories(api);
  let browser: Browser;

  beforeAll(async () => {
    await site.start();
    // Chromium has no sandbox for the superuser.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    browser = await chromium.launch({ executablePath: binary ?? '', args });
  });
  afterAll(async () => {
    await browser.close();
    await site.stop();
  });

  const emailOf = async ({ userId }: Person): Promise<string> =>
    (await query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId]))[0]?.email ?? '';

  /** A browser window in which the person is signed in. */
  async function windowOf(person: Person, options: object = {}): Promise<BrowserContext> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
    const value = (await signedInAs(api, portal, person)).cookie('assay') ?? '';
    await context.addCookies([{ name: 'assay', value, url: portal.url }]);
    return context;
  }

  describe('on every page', () => {
    interface Visit {
      readonly path: string;
      readonly violations: string[];
      /** Errors of the console and of scripts, refusals of the content security policy, and answers with an error. */
      readonly messages: string[];
      readonly tooWide: string[];
      readonly bytes: number;
      readonly isShownWithoutScripts: boolean;
    }
    const visits: Visit[] = [];

    /** Long texts, and texts from right to left and without spaces. */
    async function addDifficultTexts({ id }: Tenant): Promise<void> {
      for (const title of [LONG, ARABIC, JAPANESE])
        await make.finding(id, { title, severity: 'high', md: `${title}\n\n| a | b |\n|---|---|\n| ${LONG} | b |` });
      await query('UPDATE organizations SET name = $2 WHERE id = $1', [id, unique('O'.repeat(80))]);
    }

    /** The paths that answer with a page: others are downloads, live parts of pages, and redirections. */
    async function pagesOf(owner: Person, ids: object): Promise<string[]> {
      const client = await signedInAs(api, portal, owner);
      const given = new Set(Object.keys(ids));
      const paths = portalRoutes(portal)
        .filter(({ method }) => method === RequestMethod.GET)
        .filter(({ path }) => [...path.matchAll(/:(\w+)/g)].every(([, name = '']) => given.has(name)))
        .filter(
          ({ path }) => !/\.(?:json|csv|ndjson)$|\/(?:live|stream|events)$/.test(path) || path.endsWith('/events'),
        )
        .map(({ path }) => fillPath(path, ids));
      const pages: string[] = [];
      for (const path of paths) {
        const { status, text } = await client.get(path);
        if (status === 200 && text.startsWith('<!doctype html><html lang="en">')) pages.push(path);
      }
      return pages;
    }

    async function violationsOf(page: Page, options: object): Promise<string[]> {
      return page.evaluate<string[]>(
        `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
          nodes.map(({ target, failureSummary }) => id + ': ' + target + ': ' + failureSummary)))`,
      );
    }

    async function visit(scripted: BrowserContext, unscripted: BrowserContext, path: string): Promise<Visit> {
      const page = await scripted.newPage();
      const messages: string[] = [];
      const sizes: Promise<number>[] = [];
      page.on('console', (message) => ['error', 'warning'].includes(message.type()) && messages.push(message.text()));
      page.on('pageerror', (error) => messages.push(String(error)));
      page.on('response', (response) => {
        if (response.status() >= 400) messages.push(`${response.status()} ${response.url()}`);
        if (/text|javascript/.test(response.headers()['content-type'] ?? ''))
          sizes.push(response.body().then((body) => gzipSync(body).length));
      });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.goto(portal.url + path, { waitUntil: 'load' });
      const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
      await page.evaluate(axeSource);
      const violations = await violationsOf(page, { runOnly: WCAG, resultTypes: ['violations'] });
      await page.emulateMedia({ colorScheme: 'dark' });
      const inTheDark = await violationsOf(page, { runOnly: { type: 'rule', values: ['color-contrast'] } });
      const tooWide: string[] = [];
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const used = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (used > width) tooWide.push(`${used} px at ${width} px`);
      }
      await page.close();
      const still = await unscripted.newPage();
      const answer = await still.goto(portal.url + path, { waitUntil: 'load' });
      const text = await still.locator('main').innerText();
      await still.close();
      const isShownWithoutScripts = answer?.status() === 200 && text.trim().length > 10;
      return {
        path,
        violations: [...violations, ...inTheDark.map((text) => `dark: ${text}`)],
        messages,
        tooWide,
        bytes,
        isShownWithoutScripts,
      };
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
        const scripted = await windowOf(person);
        const unscripted = await windowOf(person, { javaScriptEnabled: false });
        for (const path of await pagesOf(person, given)) visits.push(await visit(scripted, unscripted, path));
        await scripted.close();
        await unscripted.close();
      }
      const anyone = await browser.newContext({ reducedMotion: 'reduce' });
      const unscripted = await browser.newContext({ javaScriptEnabled: false });
      visits.push(await visit(anyone, unscripted, '/sign-in'));
      expect(visits.length).toBeGreaterThan(6);
    });

    const failing = (problemsOf: (visit: Visit) => readonly string[]) =>
      visits.flatMap((visit) => problemsOf(visit).map((problem) => `${visit.path}: ${problem}`));

    it('axe-core finds no violation of WCAG 2.2 AA, light and dark', () => {
      expect(failing(({ violations }) => violations)).toEqual([]);
    });

    it('no script fails, nothing is missing, and nothing is against the content security policy', () => {
      expect(failing(({ messages }) => messages)).toEqual([]);
    });

    it('nothing scrolls sideways at 360, 768 and 1920 px', () => {
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
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password').fill('correct horse battery staple');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: title }).click();
    await page.getByRole('button', { name: 'Retest now' }).click();
    await page.locator('.verdict.still_vulnerable').first().waitFor({ timeout: PATIENCE_MS });
    site.state = 'fixed';
    site.hold();
    await page.getByRole('button', { name: 'Retest now' }).click();
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
});
