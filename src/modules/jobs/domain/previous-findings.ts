import { type Check, checkFromYaml, type PreviousFinding } from '../../../engine';
import { DomainError } from '../../../kernel/domain-error';
import { statusAfterTest } from '../../findings';
import type { FindingStatus } from '../../findings';

interface KnownFinding extends Pick<PreviousFinding, 'location' | 'baseline'> {
  readonly id: number;
  readonly checkId: string;
  readonly builtInCheck: string | null;
  readonly status: FindingStatus;
  readonly isConfirmedFixed: boolean;
}

/** A known finding that a job tests again. */
export interface TestedFinding {
  readonly finding: PreviousFinding;
  /** The YAML that can show that it is fixed; null for a built-in check. */
  readonly template: string | null;
}

/** Findings whose status a test may change, and resolved ones whose fix no test has confirmed, or a person as a refusal. */
const shouldRetest = ({ status, isConfirmedFixed, baseline }: KnownFinding): boolean =>
  statusAfterTest('fixed', status) !== null ||
  (statusAfterTest('still_vulnerable', status) !== null &&
    (!isConfirmedFixed || (baseline?.on === 'web' && baseline.confirmedRefusal !== undefined)));

/** Null if this version of Assay refuses it: then nothing can show that the finding is fixed. */
function ownCheck(template: string): Check | null {
  try {
    return checkFromYaml(template, { origin: 'loaded' });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/**
 * The known findings that the checks of a job test again, at most one for each place. A finding of a template is tested with
 * its own YAML, because a later version may see less.
 */
export function previousFindingsOf(
  known: readonly KnownFinding[],
  checks: readonly Check[],
  templates: ReadonlyMap<number, string>,
): TestedFinding[] {
  const tested = new Map<string, TestedFinding>();
  const running = new Map(checks.map((check) => [check.id, check]));
  for (const one of known.filter(shouldRetest)) {
    const { id, checkId, builtInCheck, location, baseline } = one;
    const check = running.get(checkId);
    const place = `${checkId} ${location}`;
    if (check === undefined || tested.has(place)) continue;
    const finding = { check: checkId, location, baseline };
    const template = builtInCheck === null ? templates.get(id) : null;
    if (template === undefined) continue;
    if (template === null || ('template' in check && check.template === template)) {
      tested.set(place, { finding, template });
      continue;
    }
    const own = ownCheck(template);
    if (own !== null) tested.set(place, { finding: { ...finding, own }, template });
  }
  return [...tested.values()];
}
