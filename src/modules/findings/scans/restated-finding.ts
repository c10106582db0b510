import type { ScannedFinding } from '../data/finding.entity';
import { isLower, restatedEdits, type StoredSeverity, storedSeverityOf } from '../domain/pins';
import type { ScannedFindingsRepository } from './data/scanned-findings.repository';
import type { PlannedResult } from './recorded-result';
import type { RecordingTarget, SeenFinding } from './seen-finding';

/**
 * Pinned fields keep a person's values. The values of a job or a file are stored separately, unless they are older than what is
 * known. When a person records the finding again, this changes nothing.
 */
export async function restated(
  findings: ScannedFindingsRepository,
  { importId, jobUuid }: RecordingTarget,
  finding: ScannedFinding,
  own: readonly PlannedResult[],
): Promise<ScannedFinding> {
  if (finding.edits === null || (importId === null && jobUuid === null)) return finding;
  const seen = own.map((one) => one.seen).filter(({ seenAt }) => seenAt === null || seenAt >= finding.lastSeen);
  const said = mostSevereOf(seen);
  if (said === undefined) return finding;
  const severity = importId === null ? storedSeverityOf(said) : statedInFile(finding, storedSeverityOf(said));
  const edits = restatedEdits(finding.edits, { title: said.title, severity });
  const text = finding.edits.pins.md === true ? said.text() : null;
  if (edits === undefined && text === null) return finding;
  const after = edits ?? finding.edits;
  await findings.saveRestated(finding.id, after, text);
  return { ...finding, edits: after };
}

/** A file does not lower a severity that a check has proved. */
function statedInFile({ edits, verification }: ScannedFinding, said: StoredSeverity): StoredSeverity {
  const stated = edits?.pins.severity;
  return verification === 'confirmed' && stated !== undefined && isLower(said, stated) ? stated : said;
}

/** Does not depend on the order of the file. */
const mostSevereOf = (seen: readonly SeenFinding[]): SeenFinding | undefined =>
  seen.reduce<SeenFinding | undefined>(
    (worst, one) => (worst === undefined || isLower(storedSeverityOf(worst), storedSeverityOf(one)) ? one : worst),
    undefined,
  );
