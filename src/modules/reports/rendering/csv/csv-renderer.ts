import { stringify } from 'csv-stringify/sync';
import type { ReportRenderer, ReportSnapshot, SnapshotFinding } from '../../domain/report-snapshot';
import { formats } from '../formats';

/** One column a fact, in this order for ever; new ones come behind. HTML is left out: it is the Markdown once more. */
export const CSV_COLUMNS = [
  'id',
  'title',
  'severity',
  'priority',
  'score',
  'status',
  'status_name',
  'asset_id',
  'asset_value',
  'location',
  'check',
  'cve',
  'cvss_vector',
  'times_seen',
  'created',
  'last_seen',
  'resolved',
  'fingerprint',
  'md',
] as const satisfies readonly (keyof SnapshotFinding)[];

/** Of the newest retest. */
const RETEST_COLUMNS = ['retest_status', 'retest_result', 'retest_finished'] as const;

function rowOf(finding: SnapshotFinding): (string | number | null)[] {
  const retest = finding.retests.at(-1);
  return [
    ...CSV_COLUMNS.map((column) => finding[column]),
    retest?.status ?? null,
    retest?.result ?? null,
    retest?.finished ?? null,
  ];
}

/**
 * One row a finding, by RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe, for titles come
 * from people who may mean harm; and it begins with the mark by which a spreadsheet knows UTF-8.
 */
export class CsvRenderer implements ReportRenderer {
  readonly contentType = formats.csv.contentType;
  readonly extension = formats.csv.extension;

  async render({ findings }: ReportSnapshot): Promise<Buffer> {
    const text = stringify([[...CSV_COLUMNS, ...RETEST_COLUMNS], ...findings.map(rowOf)], {
      bom: true,
      escape_formulas: true,
      quoted_string: true,
      record_delimiter: 'windows',
    });
    return Buffer.from(text);
  }
}
