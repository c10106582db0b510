import type { SnapshotCheckDescription } from '../domain/report-snapshot';
import type { SnapshotFinding } from '../domain/snapshot-finding';

/** Undefined for texts that are not in the form of a CVE. */
export const cveAddress = (cve: string): string | undefined =>
  /^CVE-\d{4}-\d{4,19}$/.test(cve) ? `https://www.cve.org/CVERecord?id=${cve}` : undefined;

export const cweAddress = (cwe: number): string => `https://cwe.mitre.org/data/definitions/${cwe}.html`;

/** The CWE of the finding, and those of its built-in check, each once. */
export const weaknessesOf = ({ cwe }: SnapshotFinding, check: SnapshotCheckDescription | undefined): number[] => [
  ...new Set([...(cwe === null ? [] : [cwe]), ...(check?.cwe ?? [])]),
];
