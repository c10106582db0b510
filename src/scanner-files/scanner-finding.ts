import type { Severity } from '../kernel/severity';

/** One result in the file of a scanner, in the same shape for every format. Texts are shortened to the limits of a finding. */
export interface ScannerFinding {
  /** Where the result begins in the file: a line, or the row of a table. */
  readonly line: number;
  /** The tool that wrote the file: `nuclei`, `zap`, `burp`, `nessus`, or the name that a SARIF or generic file gives. */
  readonly scanner: string;
  /** The scanner's own identifier of its rule. It does not change when texts are reworded. */
  readonly ruleId: string;
  /** The rule under which earlier versions recorded results with the same title. Null if it is unchanged. */
  readonly former: FormerRule | null;
  readonly title: string;
  readonly description: string | null;
  readonly remediation: string | null;
  readonly severity: Severity;
  readonly location: ScannedLocation;
  /** The address of the host that the location names, if the file has it. */
  readonly address: string | null;
  /** The asset and the beacon that a table names for its row. */
  readonly asset: string | null;
  readonly beacon: string | null;
  readonly cwe: number | null;
  readonly cves: readonly string[];
  /** The number of further CVEs in the file. */
  readonly moreCves: number;
  readonly references: string[];
  readonly cvssVector: string | null;
  /** What the scanner shows as proof, without Cookie and Authorization headers. */
  readonly evidence: string | null;
  /** The affected input, such as the name of a query parameter. */
  readonly parameter: string | null;
  readonly seenAt: Date | null;
  /**
   * The request that showed the weakness and an extract of its response, if the file has both. Without Cookie and Authorization.
   */
  readonly replay: { readonly method: string; readonly url: string; readonly match: string } | null;
  /** What the messages in the file show about the target. */
  readonly seen: SeenTarget | null;
  /** The source of a template from the file. It runs only after a person has approved it. */
  readonly template: string | null;
}

/** Taken from the response that showed the weakness. Tests compare it, to recognize a different site at the same name. */
export interface SeenTarget {
  /** The product in its Server field, in lower case. */
  readonly server: string | null;
  readonly title: string | null;
  /** Whether its request had a Cookie or an Authorization. */
  readonly isSignedIn: boolean;
}

export interface FormerRule {
  readonly scanner: string;
  readonly ruleId: string;
}

/** `url` is absolute. A host may be a name or an address. All are null in files without hosts, such as SARIF of source code. */
export interface ScannedLocation {
  readonly url: string | null;
  readonly host: string | null;
  readonly port: number | null;
  /** A file and line of source code, as in SARIF. */
  readonly source: string | null;
}

/** A result that cannot be imported, unlike the rest of the file. */
export interface RefusedRow {
  readonly line: number;
  readonly reason: string;
}

export type ScannedRow =
  | { readonly finding: ScannerFinding; readonly refused?: undefined }
  | { readonly refused: RefusedRow; readonly finding?: undefined };
