import { parse } from 'csv-parse/sync';
import { withoutInnerFormulas } from '../../../../kernel/spreadsheet-text';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { jsonReport } from '../json/json-renderer';
import { demoSnapshot, emptySnapshot, hostileSnapshot, thousandSnapshot, worldSnapshot } from '../testing/snapshots';
import { finding, retest, snapshotOf } from '../testing/snapshot-of';
import { CSV_COLUMNS, CsvRenderer } from './csv-renderer';

const textOf = async (snapshot: ReportSnapshot): Promise<string> =>
  (await new CsvRenderer().render(snapshot)).toString('utf8');

const rowsOf = async (snapshot: ReportSnapshot): Promise<Record<string, string>[]> =>
  parse(await textOf(snapshot), { columns: true, bom: true });

/** A value with formulas escaped; numbers are not changed. */
function escaped(value: string | number | null): string {
  const text = String(withoutInnerFormulas(value) ?? '');
  return typeof value === 'string' && /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(value) ? `'${text}` : text;
}

describe('CSV', () => {
  it.each([
    ['an empty event', emptySnapshot],
    ['the demo', demoSnapshot],
    ['texts of the world', worldSnapshot],
    ['hostile texts', hostileSnapshot],
    ['a thousand findings', thousandSnapshot],
  ])('has the same values as the JSON format: %s', async (_name, snapshot) => {
    const { findings } = jsonReport(snapshot()) as ReportSnapshot;
    const rows = await rowsOf(snapshot());
    const wellFormed = (text: string): string => text.toWellFormed();
    const fields = CSV_COLUMNS.filter((column) => !column.startsWith('retest_'));
    expect(rows.map((row) => fields.map((column) => row[column]))).toEqual(
      findings.map((one) => fields.map((column) => wellFormed(escaped(Reflect.get(one, column) as string | null)))),
    );
  });

  it('has each column once', () => {
    expect(CSV_COLUMNS).toEqual([...new Set(CSV_COLUMNS)]);
  });

  it('starts with a byte order mark and the columns in order, and ends each row with CR LF', async () => {
    const text = await textOf(emptySnapshot());
    expect(text.startsWith(`\ufeff${CSV_COLUMNS.map((column) => `"${column}"`).join()}`)).toBe(true);
    expect(text.split('\r\n')).toHaveLength(2);
  });

  it('writes no value that a spreadsheet would run as a formula', async () => {
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

  it('writes no formula where a semicolon or a line end begins a cell', async () => {
    const [row] = await rowsOf(
      snapshotOf({ findings: [finding(1, { title: "x;=cmd|'/c calc'!A0;y", md: 'one\n=1+1\n- two' })] }),
    );
    expect([row?.['title'], row?.['md']]).toEqual(["x;'=cmd|'/c calc'!A0;y", "one\n'=1+1\n- two"]);
  });

  it('has the status, result and time of the newest retest', async () => {
    const retests = [retest(1, { result: 'inconclusive' }), retest(5, { result: 'fixed' })];
    const [row] = await rowsOf(snapshotOf({ findings: [finding(1, { title: 'x', retests })] }));
    expect([row?.['retest_status'], row?.['retest_result'], row?.['retest_finished']]).toEqual([
      'finished',
      'fixed',
      retests[1]?.finished,
    ]);
  });
});
