import { stringify } from 'csv-stringify/sync';
import { CSV_OPTIONS } from '../../kernel/spreadsheet-text';
import { FileStream } from '../../platform/http/file-stream';

type CsvCell = string | number | null;

export interface ExportedRecords<Row> {
  /** Without an ending. */
  readonly name: string;
  readonly pieces: AsyncIterable<readonly Row[]>;
  readonly columns: readonly string[];
  readonly cellsOf: (row: Row) => readonly CsvCell[];
  /** In JSON. */
  readonly present: (row: Row) => object;
}

interface FileFormat {
  readonly contentType: string;
  /** The first one has records, if there are any: what fails before it becomes an error response. */
  readonly texts: <Row>(records: ExportedRecords<Row>) => AsyncGenerator<string>;
}

const FILE_FORMATS = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    async *texts({ pieces, columns, cellsOf }) {
      let head = stringify([[...columns]], { ...CSV_OPTIONS, bom: true });
      for await (const rows of pieces) {
        const records = rows.map((row) => [...cellsOf(row)]);
        yield head + (records.length === 0 ? '' : stringify(records, CSV_OPTIONS));
        head = '';
      }
      yield head;
    },
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    async *texts({ pieces, present }) {
      for await (const rows of pieces) for (const row of rows) yield `${JSON.stringify(present(row))}\n`;
    },
  },
  json: {
    contentType: 'application/json; charset=utf-8',
    async *texts({ pieces, present }) {
      let separator = '[\n';
      for await (const rows of pieces)
        for (const row of rows) {
          yield separator + JSON.stringify(present(row));
          separator = ',\n';
        }
      yield separator === ',\n' ? '\n]\n' : '[]\n';
    },
  },
} as const satisfies Record<string, FileFormat>;

/** A file of all records. */
export function exportFile<Row>(records: ExportedRecords<Row>, format: keyof typeof FILE_FORMATS): FileStream {
  const { contentType, texts } = FILE_FORMATS[format];
  return new FileStream(`${records.name}.${format}`, contentType, texts(records));
}
