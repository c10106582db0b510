import type { SnapshotFinding } from '../domain/snapshot-finding';

/**
 * A fact about a finding and the formats that show it. To add a field to the reports, add it to `SnapshotFinding` and a
 * line to `FINDING_FACTS`. The JSON format is the snapshot itself. VEX has no place for further facts.
 */
export interface FindingFact {
  readonly label: string;
  /** Null if the finding does not have it; then the label or property is omitted. */
  readonly value: (finding: SnapshotFinding) => string | number | null;
  /** The value for readers, if it differs. */
  readonly text?: (finding: SnapshotFinding) => string;
  readonly style?: 'code' | 'date' | 'place';
  /** A web address that explains the value. */
  readonly link?: (value: string) => string | undefined;
  readonly html?: true;
  /** The line of the PDF that holds it. */
  readonly pdfLine?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;
  readonly csvColumn?: string;
  readonly sarifProperty?: string;
}

export const factText = ({ text, value }: FindingFact, finding: SnapshotFinding): string =>
  text?.(finding) ?? String(value(finding) ?? '');
