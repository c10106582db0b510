import { parse } from 'csv-parse/sync';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { jsonReport } from '../json/json-renderer';
import { demoSnapshot, emptySnapshot, hostileSnapshot, thousandSnapshot, worldSnapshot } from '../testing/snapshots';
import { finding, retest, snapshotOf } from '../testing/snapshot-of';
import { CSV_COLUMNS, CsvRenderer } from './csv-renderer';

const textOf = async (snapshot: ReportSnapshot): Promise<string> =>
  (await new CsvRenderer().render(snapshot)).toString('utf8');

const rowsOf = async (snapshot: ReportSnapshot): Promise<Record<string, string>[]> =>
  parse(await textOf(snapshot), { columns: true, bom: true });

/** As the escape of formulas leaves a text; numbers are as they are. */
const escaped = (value: string | number | null): string =>
  typeof value === 'string' && /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${value}` : String(value ?? '');

describe('CSV', () => {
  it.each([
    ['an empty event', emptySnapshot],
    ['the demo', demoSnapshot],
    ['texts of the world', worldSnapshot],
    ['hostile texts', hostileSnapshot],
    ['a thousand findings', thousandSnapshot],
  ])('parsed again it says what the JSON says: %s', async (_name, snapshot) => {
    const { findings } = jsonReport(snapshot()) as ReportSnapshot;
    const rows = await rowsOf(snapshot());
    const wellFormed = (text: string): string => text.toWellFormed();
    expect(rows.map((row) => CSV_COLUMNS.map((column) => row[column]))).toEqual(
      findings.map((one) => CSV_COLUMNS.map((column) => wellFormed(escaped(one[column])))),
    );
  });

  it('begins with the byte order mark and a header, and ends each row with CR LF', async () => {
    const text = await textOf(emptySnapshot());
    expect(text).toMatch(/^\ufeff"id","title","severity",/);
    expect(text).toMatch(/"retest_finished"\r\n$/);
    expect(text.split('\r\n')).toHaveLength(2);
  });

  it('gives a spreadsheet no formula, whatever a field begins with', async () => {
    const titles = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\uFF1D1', 'plain'];
    const rows = await rowsOf(snapshotOf({ findings: titles.map((title, id) => finding(id + 1, { title })) }));
    expect(rows.map(({ title }) => title?.slice(0, 2))).toEqual([
      "'=",
      "'+",
      "'-",
      "'@",
      "'\t",
      "'\r",
      "'\uFF1D",
      'pl',
    ]);
  });

  it('says what the last retest came to', async () => {
    const retests = [retest(1, { result: 'inconclusive' }), retest(5, { result: 'fixed' })];
    const [row] = await rowsOf(snapshotOf({ findings: [finding(1, { title: 'x', retests })] }));
    expect([row?.['retest_status'], row?.['retest_result'], row?.['retest_finished']]).toEqual([
      'finished',
      'fixed',
      retests[1]?.finished,
    ]);
  });
});
