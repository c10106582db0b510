import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import { CSV_OPTIONS } from '../../kernel/spreadsheet-text';

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
  /** The first piece, and what follows each. */
  readonly texts: <Row>(records: ExportedRecords<Row>) => AsyncGenerator<string>;
}

const FILE_FORMATS = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    async *texts({ pieces, columns, cellsOf }) {
      yield stringify([[...columns]], { ...CSV_OPTIONS, bom: true });
      for await (const rows of pieces)
        if (rows.length > 0)
          yield stringify(
            rows.map((row) => [...cellsOf(row)]),
            CSV_OPTIONS,
          );
    },
  },
  ndjson: {
    contentType: 'application/x-ndjson; charset=utf-8',
    async *texts({ pieces, present }) {
      for await (const rows of pieces) yield rows.map((row) => `${JSON.stringify(present(row))}\n`).join('');
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

/** A file of all records. It is made while it is sent, so that its length needs no memory. */
export function exportFile<Row>(records: ExportedRecords<Row>, format: keyof typeof FILE_FORMATS): StreamableFile {
  const { contentType: type, texts } = FILE_FORMATS[format];
  async function* bytes(): AsyncGenerator<Buffer> {
    for await (const text of texts(records)) yield Buffer.from(text);
  }
  const disposition = `attachment; filename="${records.name}.${format}"`;
  return new StreamableFile(Readable.from(bytes(), { objectMode: false }), { type, disposition });
}
