import { DomainError, invalid } from '../../../kernel/domain-error';
import { isSeverity, SEVERITIES, type Severity, severityFromScore } from '../../../kernel/severity';
import { scoreOfVector } from './cvss';

/** A stated severity: any of the three fields. If several are set, they must agree. */
export interface SeverityStatement {
  readonly severity?: string | null;
  readonly score?: number | null;
  readonly cvssVector?: string | null;
}

export interface SeverityOfFinding {
  readonly severity: Severity;
  readonly score: number | null;
  readonly cvssVector: string | null;
}

export function requireScore(score: number, field: string): number {
  if (score >= 0 && score <= 10 && Math.round(score * 10) / 10 === score) return score;
  throw invalid(`${field} must be a number from 0.0 to 10.0 with at most one decimal.`);
}

/** The vector determines the score, and the score the severity. Contradictions are refused, not corrected. */
export function severityOfFinding({ severity, score, cvssVector }: SeverityStatement): SeverityOfFinding {
  const statedSeverity = severity == null ? null : requireSeverity(severity);
  const statedScore = score == null ? null : requireScore(score, 'score');
  const vectorScore = cvssVector == null ? null : scoreOfVector(cvssVector);
  if (vectorScore !== null && statedScore !== null && vectorScore !== statedScore) {
    throw invalid(`score ${statedScore.toFixed(1)} contradicts cvss_vector, which says ${vectorScore.toFixed(1)}.`);
  }
  const knownScore = vectorScore ?? statedScore;
  if (knownScore === null) {
    // A default would mark the finding as harmless although nobody stated that.
    if (statedSeverity === null) throw invalid('Set one of severity, score and cvss_vector.');
    return { severity: statedSeverity, score: null, cvssVector: null };
  }
  const derived = severityFromScore(knownScore);
  if (statedSeverity !== null && statedSeverity !== derived) {
    throw invalid(`severity ${statedSeverity} contradicts the score ${knownScore.toFixed(1)}, which is ${derived}.`);
  }
  return { severity: derived, score: knownScore, cvssVector: cvssVector ?? null };
}

/** A scanner may state a severity that its vector contradicts. Then the severity counts, not the vector. */
export function severityOfScan({
  severity,
  cvssVector,
}: {
  readonly severity: Severity;
  readonly cvssVector: string | null;
}): SeverityOfFinding {
  try {
    return severityOfFinding({ severity, cvssVector });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { severity, score: null, cvssVector: null };
  }
}

function requireSeverity(word: string): Severity {
  if (isSeverity(word)) return word;
  throw invalid(`severity must be one of ${SEVERITIES.join(', ')}.`);
}
