/** The formats of scanners that an import reads. */
export const SCANNER_FORMATS = [
  'nuclei-jsonl',
  'sarif',
  'zap-json',
  'zap-xml',
  'burp-xml',
  'nessus-xml',
  'nmap-xml',
  'testssl-json',
  'defectdojo-json',
  'gitlab-dast-json',
  'defectdojo-csv',
  'nessus-csv',
  'csv',
] as const;

export type ScannerFormat = (typeof SCANNER_FORMATS)[number];

export const isScannerFormat = (text: string): text is ScannerFormat =>
  SCANNER_FORMATS.some((format) => format === text);
