import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { ReportSnapshot } from '../../src/modules/reports/domain/report-snapshot';
import { HtmlRenderer } from '../../src/modules/reports/rendering/html/html-renderer';
import {
  demoSnapshot,
  emptySnapshot,
  hostileSnapshot,
  thousandSnapshot,
  worldSnapshot,
} from '../../src/modules/reports/rendering/testing/snapshots';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const withBrowser = existsSync(executablePath) ? describe : describe.skip;

/** Serves a report by itself, without any header that would protect its reader: the file has to do that alone. */
async function serving(snapshot: ReportSnapshot): Promise<{ server: Server; url: string; asked: string[] }> {
  const html = await new HtmlRenderer().render(snapshot);
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/report`, asked };
}

withBrowser('an HTML report in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  const inPage = async (snapshot: ReportSnapshot, look: (page: Page) => Promise<void>): Promise<void> => {
    const { server, url, asked } = await serving(snapshot);
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const requests: string[] = [];
    const said: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('dialog', (dialog) => void dialog.dismiss().finally(() => said.push(dialog.message())));
    page.on('console', (message) => said.push(message.text()));
    try {
      await page.goto(url, { waitUntil: 'networkidle' });
      await look(page);
      expect({ requests, asked, said }).toEqual({ requests: [url], asked: ['/report'], said: [] });
    } finally {
      await page.close();
      server.close();
    }
  };

  it.each([
    ['an empty event', emptySnapshot],
    ['the demo', demoSnapshot],
    ['texts of the world', worldSnapshot],
    ['hostile texts', hostileSnapshot],
    ['a thousand findings', thousandSnapshot],
  ])('asks nobody for anything, runs nothing, and shows every finding: %s', async (_name, snapshot) => {
    await inPage(snapshot(), async (page) => {
      expect(await page.locator('article.finding').count()).toBe(snapshot().findings.length);
      expect(await page.locator('script, iframe, img, link, object, embed').count()).toBe(0);
    });
  });

  it('fits a telephone, and the texts of people who write from the right begin there', async () => {
    await inPage(worldSnapshot(), async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      const directions = await page.evaluate<string[]>(
        "[...document.querySelectorAll('article h3')].map((title) => getComputedStyle(title).direction)",
      );
      const fromTheRight = worldSnapshot().findings.map(({ title }) =>
        /^[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(title),
      );
      expect(directions).toEqual(fromTheRight.map((isSo) => (isSo ? 'rtl' : 'ltr')));
      expect(new Set(directions).size).toBe(2);
    });
  });

  it('prints', async () => {
    await inPage(demoSnapshot(), async (page) => {
      const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    });
  });
});
