import { SEVERITIES } from '../../../kernel/severity';
import type { RowResult } from './import-status';

/** A row of a file with its finding. */
export interface FileRow {
  readonly number: number;
  readonly line: number | null;
  readonly fingerprint: string;
  readonly title: string | null;
  readonly severity: number;
  readonly result: RowResult;
}

export interface RepeatedRows {
  /** The first row of the file with each fingerprint, with the highest severity of its rows if the file created the finding. */
  readonly firsts: ReadonlyMap<string, FileRow>;
  /** The reasons of rows whose finding an earlier row has with another title or severity, by row number. */
  readonly reasons: ReadonlyMap<number, string>;
  /** The numbers of repeated rows of findings that this file created. */
  readonly ofNew: ReadonlySet<number>;
  /** The first rows of earlier batches whose findings get a higher severity. */
  readonly raised: readonly FileRow[];
}

/** The rows of a batch whose findings already occur earlier in the file. `earlier` has the first rows of these findings. */
export function repeatedRowsOf(rows: readonly FileRow[], earlier: readonly FileRow[]): RepeatedRows {
  const firsts = new Map(earlier.map((row) => [row.fingerprint, row]));
  const reasons = new Map<number, string>();
  const ofNew = new Set<number>();
  for (const row of rows) {
    const first = firsts.get(row.fingerprint);
    if (first === undefined) {
      firsts.set(row.fingerprint, row);
      continue;
    }
    if (first.result === 'new') ofNew.add(row.number);
    const isRaised = ofNew.has(row.number) && row.severity > first.severity;
    if (row.title !== first.title || row.severity !== first.severity)
      reasons.set(row.number, reasonOf(row, first, isRaised));
    if (isRaised) firsts.set(row.fingerprint, { ...first, severity: row.severity });
  }
  const raised = earlier.flatMap((row) => {
    const first = firsts.get(row.fingerprint);
    return first === undefined || first.severity === row.severity ? [] : [first];
  });
  return { firsts, reasons, ofNew, raised };
}

function reasonOf(row: FileRow, first: FileRow, isRaised: boolean): string {
  const others = [
    ...(row.title === first.title ? [] : ['another title']),
    ...(row.severity === first.severity ? [] : ['another severity']),
  ];
  const raised = isRaised ? `: its severity is raised to ${SEVERITIES[row.severity]}` : '';
  return `Same finding as row ${first.number} in line ${first.line} (${others.join(', ')})${raised}.`;
}
