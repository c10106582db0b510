export type { CsvMapping } from './csv-mapping';
export { CSV_FIELDS, CSV_TEMPLATE, isCsvField } from './csv-mapping';
export { shorten } from './clean-text';
export { readScannerFile, type ScannerFile, type ScannerFileOptions } from './read-scanner-file';
export { readInThread } from './read-in-thread';
export type { RowBatch } from './row-batch';
export { isScannerFormat, SCANNER_FORMATS, type ScannerFormat } from './scanner-format';
export type { RefusedRow, ScannedLocation, ScannedRow, ScannerFinding } from './scanner-finding';
export { UnreadableFileError } from './unreadable-file-error';
