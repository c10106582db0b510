import { CHECKS } from '../../../engine/checks';
import { type Severity, severityNumber } from '../../../kernel/severity';

export const CHECK_SOURCES = ['built_in', 'loaded'] as const;

export type CheckSource = (typeof CHECK_SOURCES)[number];

/** The tag of all built-in checks, which also selects them for a job. */
export const BUILT_IN_TAG = 'built-in';

/** A check as lists show it. */
export interface ListedCheck {
  readonly id: string;
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: readonly number[];
  readonly tags: readonly string[];
  readonly source: CheckSource;
  /** Of a loaded template; null for a built-in check. */
  readonly version: number | null;
  readonly loaded: Date | null;
  /** What it detects, or how it decides. */
  readonly detects: string;
  /** Why jobs do not run it; null if they do. */
  readonly notInJobs: string | null;
}

/** The built-in checks as rows of the list, before all that are loaded and in their display order. */
export const BUILT_IN_ROWS = CHECKS.map(({ id, title, severity, cwe }, index) => ({
  number: 2_147_483_647 - index,
  id,
  title,
  severity: severityNumber(severity),
  cwe,
}));

const DECIDES = new Map(CHECKS.map(({ id, decides }) => [id, decides]));

export const detectsOfBuiltIn = (id: string): string => DECIDES.get(id) ?? '';
