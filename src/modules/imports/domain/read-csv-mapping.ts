import { isRecord } from '../../../kernel/is-record';
import { invalid } from '../../../kernel/domain-error';
import { isOwnScanner } from '../../../kernel/own-scanners';
import { isSeverity, SEVERITIES } from '../../../kernel/severity';
import { CSV_FIELDS, type CsvMapping, isCsvField } from '../../../scanner-files';

export const MAX_MAPPING_LENGTH = 8_000;

/** Parses the CSV mapping from the JSON in the query. Each error names the field. */
export function readCsvMapping(text: string): CsvMapping {
  const mapping = parsed(text);
  const unknown = Object.keys(mapping).filter((name) => !['columns', 'scanner', 'severities'].includes(name));
  if (unknown.length > 0)
    throw invalid(
      `csv_mapping has the unknown field ${JSON.stringify(unknown[0])}. Known fields: columns, scanner, severities.`,
    );
  const { columns, scanner, severities } = mapping;
  requireColumns(columns);
  if (scanner !== undefined && (typeof scanner !== 'string' || scanner.trim() === '' || scanner.length > 100))
    throw invalid('csv_mapping must have a scanner of 1 to 100 characters, or none.');
  if (typeof scanner === 'string' && isOwnScanner(scanner))
    throw invalid('csv_mapping must have another scanner: assay and manual stand for jobs and people.');
  if (severities !== undefined) requireSeverities(severities);
  return mapping as unknown as CsvMapping;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // The error below says what is expected.
  }
  throw invalid('csv_mapping must be a JSON object, such as {"columns": {"title": "Name", "severity": "Risk"}}.');
}

function requireColumns(columns: unknown): void {
  if (!isRecord(columns))
    throw invalid('csv_mapping must have columns: an object with the name of a column for each field.');
  for (const [field, column] of Object.entries(columns)) {
    if (!isCsvField(field))
      throw invalid(
        `csv_mapping names the unknown field ${JSON.stringify(field)} in columns. Known fields: ${CSV_FIELDS.join(', ')}.`,
      );
    if (typeof column !== 'string' || column === '' || column.length > 200)
      throw invalid(`csv_mapping must have the name of a column, of 1 to 200 characters, in columns.${field}.`);
  }
  for (const field of ['title', 'severity'])
    if (!(field in columns)) throw invalid(`csv_mapping has no columns.${field}: every finding needs it.`);
}

function requireSeverities(severities: unknown): void {
  if (!isRecord(severities))
    throw invalid("csv_mapping must have severities as an object with a severity for each of the file's words.");
  for (const [word, severity] of Object.entries(severities)) {
    if (typeof severity !== 'string' || !isSeverity(severity))
      throw invalid(`csv_mapping must translate ${JSON.stringify(word)} to one of ${SEVERITIES.join(', ')}.`);
  }
}
