import { PdfRenderer } from '../../src/modules/reports/rendering/pdf/pdf-renderer';
import { canReadPdf, ReadPdf } from '../../src/modules/reports/rendering/testing/pdf-reader';
import { thousandSnapshot } from '../../src/modules/reports/rendering/testing/snapshots';

/** Of which some sixty are programs that all processes of the machine share. */
const mostMegabytes = 380;
const longestMs = 60_000;

it('a PDF of a thousand findings has all of them, and takes no more memory than it may', async () => {
  const snapshot = thousandSnapshot(1_000);
  const pdf = await new PdfRenderer({ mostMegabytes, longestMs }).render(snapshot);
  expect(pdf.length).toBeLessThan(8_000_000);
  if (!canReadPdf) return;
  const read = new ReadPdf(pdf);
  expect(read.lacks(snapshot.findings.map(({ title }) => title))).toEqual([]);
  expect(read.destinations).toHaveLength(1_000);
  expect(read.pages).toBeLessThan(600);
});
