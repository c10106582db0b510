import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { ReportSnapshot } from '../../src/modules/reports/domain/report-snapshot';
import { HtmlRenderer } from '../../src/modules/reports/rendering/html/html-renderer';
import {
  demoSnapshot,
  emptySnapshot,
  hostileSnapshot,
  thousandSnapshot,
  worldSnapshot,
} from '../../src/modules/reports/rendering/testing/snapshots';
import { canReadPdf, ReadPdf } from '../../src/modules/reports/rendering/testing/pdf-reader';
import { describeInBrowser, useBrowser } from '../support/chromium';

/** Serves a report without security headers, because the file has to be safe by itself. */
async function serveReport(
  snapshot: ReportSnapshot,
): Promise<{ server: Server; url: string; requestedPaths: string[] }> {
  const html = await new HtmlRenderer().render(snapshot);
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    response.setHeader('content-type', 'text/html; charset=utf-8').end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/report`, requestedPaths };
}

describeInBrowser('an HTML report in a browser', () => {
  const browser = useBrowser();

  const inPage = async (snapshot: ReportSnapshot, assertions: (page: Page) => Promise<void>): Promise<void> => {
    const { server, url, requestedPaths } = await serveReport(snapshot);
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const requests: string[] = [];
    const messages: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('dialog', (dialog) => void dialog.dismiss().finally(() => messages.push(dialog.message())));
    page.on('console', (message) => messages.push(message.text()));
    try {
      // A network may be idle while a long page is still read.
      await page.goto(url);
      await page.waitForLoadState('networkidle');
      await assertions(page);
      expect({ requests, requestedPaths, messages }).toEqual({
        requests: [url],
        requestedPaths: ['/report'],
        messages: [],
      });
    } finally {
      await page.close();
      server.close();
    }
  };

  it.each([
    ['an empty event', emptySnapshot],
    ['the demo event', demoSnapshot],
    ['texts in many scripts', worldSnapshot],
    ['hostile texts', hostileSnapshot],
    ['a thousand findings', thousandSnapshot],
  ])('loads nothing, runs no script, and shows every finding: %s', async (_name, snapshot) => {
    await inPage(snapshot(), async (page) => {
      expect(await page.locator('article.finding').count()).toBe(snapshot().findings.length);
      expect(await page.locator('script, iframe, img, link, object, embed').count()).toBe(0);
    });
  });

  it('fits the screen of a phone, and right-to-left titles are displayed from right to left', async () => {
    await inPage(worldSnapshot(), async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      const directions = await page.evaluate<string[]>(
        "[...document.querySelectorAll('article h3')].map((title) => getComputedStyle(title).direction)",
      );
      const isRightToLeft = worldSnapshot().findings.map(({ title }) =>
        /^[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(title),
      );
      expect(directions).toEqual(isRightToLeft.map((isRtl) => (isRtl ? 'rtl' : 'ltr')));
      expect(new Set(directions).size).toBe(2);
    });
  });

  it.each([3, 3_000])('has its summary on two printed pages before the annex: %i findings', async (count) => {
    if (!canReadPdf) return;
    await inPage(thousandSnapshot(count), async (page) => {
      const pdf = new ReadPdf(await page.pdf({ preferCSSPageSize: true, printBackground: true, pageRanges: '1-5' }));
      const words = pdf.words();
      const pageOf = (word: RegExp): number => words.find(({ text }) => word.test(text))?.page ?? 0;
      expect(pageOf(/^Executive$/)).toBe(2);
      expect(pageOf(/^contents$/i)).toBeGreaterThan(2);
      expect(pageOf(/^contents$/i)).toBeLessThanOrEqual(4);
    });
  });

  it('can be printed to PDF', async () => {
    await inPage(demoSnapshot(), async (page) => {
      const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
      expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    });
  });
});
