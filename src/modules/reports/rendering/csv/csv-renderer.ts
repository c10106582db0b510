import { stringify } from 'csv-stringify/sync';
import { CSV_OPTIONS } from '../../../../kernel/spreadsheet-text';
import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import type { FindingFact } from '../finding-fact';
import { FINDING_FACTS } from '../finding-facts';
import { FORMATS } from '../formats';

/** The first columns, whose order never changes. Columns that are added later follow them. */
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
  'retest_status',
  'retest_result',
  'retest_finished',
];

const positionOf = ({ csvColumn = '' }: FindingFact): number =>
  CSV_COLUMNS.includes(csvColumn) ? CSV_COLUMNS.indexOf(csvColumn) : CSV_COLUMNS.length;

const COLUMNS = FINDING_FACTS.filter(({ csvColumn }) => csvColumn !== undefined).toSorted(
  (one, other) => positionOf(one) - positionOf(other),
);

/**
 * One row for each finding (RFC 4180), with a byte order mark so that spreadsheets read it as UTF-8. An apostrophe precedes a
 * value that a spreadsheet would run as a formula, because titles come from people who may mean harm.
 */
export class CsvRenderer implements ReportRenderer {
  readonly contentType = FORMATS.csv.contentType;
  readonly extension = FORMATS.csv.extension;

  async render({ findings }: ReportSnapshot): Promise<Buffer> {
    const text = stringify(
      [
        COLUMNS.map(({ csvColumn }) => csvColumn),
        ...findings.map((finding) => COLUMNS.map(({ value }) => value(finding))),
      ],
      { ...CSV_OPTIONS, bom: true },
    );
    return Buffer.from(text);
  }
}
