import { join } from 'node:path';
import { renderInProcess } from '../../src/modules/reports/work/rendering-process';
import { canReadPdf, ReadPdf } from '../../src/modules/reports/rendering/testing/pdf-reader';
import { thousandSnapshot } from '../../src/modules/reports/rendering/testing/snapshots';
import { distKey } from '../support/programs';

/** About 60 MB of it is code that all processes of the machine share. */
const limits = { megabytes: 560, milliseconds: 60_000 };
const program = join(process.env[distKey] ?? '', 'src/modules/reports/rendering/render-report.js');

it('a PDF report contains a thousand findings and is rendered within its memory limit', async () => {
  const snapshot = thousandSnapshot(1_000);
  const pdf = await renderInProcess(program, snapshot, new AbortController().signal, limits);
  expect(pdf.length).toBeLessThan(8_000_000);
  if (!canReadPdf) return;
  const read = new ReadPdf(pdf);
  expect(read.lacks(snapshot.findings.map(({ title }) => title))).toEqual([]);
  expect(read.destinations).toHaveLength(1_000);
  expect(read.pages).toBeLessThan(600);
});
