import { isDeepStrictEqual } from 'node:util';
import { type Severity, severityNumber } from '../../../kernel/severity';

/** A severity as findings store it: the number, the score with one decimal, and the vector. */
export interface StoredSeverity {
  readonly severity: number;
  readonly score: string | null;
  readonly cvssVector: string | null;
}

export const PINNED_FIELDS = ['title', 'md', 'severity'] as const;
export type PinnedField = (typeof PINNED_FIELDS)[number];

/** The values of a check or a file for the fields that a person has changed. The description is stored separately. */
export interface Pins {
  readonly title?: string;
  readonly md?: true;
  readonly severity?: StoredSeverity;
}

/** Who last edited a finding, and which fields are pinned since then. */
export interface FindingEdits {
  readonly at: string;
  /** The id of a user. */
  readonly by: string;
  readonly pins: Pins;
}

type WithSeverity = StoredSeverity & { readonly edits: FindingEdits | null };

const scoreOf = ({ score }: StoredSeverity): number => (score === null ? -1 : Number(score));

export const severityIn = ({ severity, score, cvssVector }: StoredSeverity): StoredSeverity => ({
  severity,
  score,
  cvssVector,
});

export const storedSeverityOf = (stated: {
  readonly severity: Severity;
  readonly score: number | null;
  readonly cvssVector: string | null;
}): StoredSeverity => ({
  severity: severityNumber(stated.severity),
  score: stated.score?.toFixed(1) ?? null,
  cvssVector: stated.cvssVector,
});

/** Compares the severity, then the score. */
export const isLower = (one: StoredSeverity, other: StoredSeverity): boolean =>
  one.severity < other.severity || (one.severity === other.severity && scoreOf(one) < scoreOf(other));

/** Gates and reports use the higher severity of those that a person and the scanner state, so that no edit hides a weakness. */
export function countedSeverity(finding: WithSeverity): StoredSeverity {
  const stated = finding.edits?.pins.severity;
  return severityIn(stated !== undefined && isLower(finding, stated) ? stated : finding);
}

export interface Restatement {
  readonly title: string;
  readonly severity: StoredSeverity;
}

/**
 * The pins after a check or a file has seen the finding again; undefined if they stay the same. A person's text is always kept.
 */
export function restatedEdits(edits: FindingEdits | null, said: Restatement): FindingEdits | undefined {
  if (edits === null) return undefined;
  const pins: Pins = {
    ...edits.pins,
    ...(edits.pins.title !== undefined && { title: said.title }),
    ...(edits.pins.severity !== undefined && { severity: said.severity }),
  };
  return isDeepStrictEqual(pins, edits.pins) ? undefined : { ...edits, pins };
}
