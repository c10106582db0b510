import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { FINDING_STATUS, isOpen } from '../../findings/domain/finding-status';
import type { FindingOutline } from '../../findings';
import { type FinishedRetest, provesFix } from './proved-fix';
import type { ReportTexts } from './report-options';

export type DraftFinding = Pick<FindingOutline, 'id' | 'title' | 'assetValue' | 'severity' | 'status'>;

const MAX_NAMED = 3;

/** Titles come from scanners and people, and a draft is Markdown. */
const escaped = (text: string): string => text.replace(/[\\`*_[\]|<>~&]/g, '\\$&');

const findings = (count: number): string => `${count} ${count === 1 ? 'finding' : 'findings'}`;
const are = (count: number): string => `${count} ${count === 1 ? 'is' : 'are'}`;

const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

function bySeverity(all: readonly DraftFinding[]): string {
  const counts = SEVERITIES.toReversed().flatMap((name, index) => {
    const count = all.filter(({ severity }) => severity === SEVERITIES.length - 1 - index).length;
    return count === 0 ? [] : [`${count} ${name === 'cosmic' ? 'critical (10.0)' : name}`];
  });
  return listed(counts);
}

const ratingOf = (worst: Severity | undefined): string =>
  worst === undefined
    ? 'No open finding'
    : worst === 'cosmic'
      ? 'Critical risk'
      : `${worst[0]?.toUpperCase()}${worst.slice(1)} risk`;

/**
 * Texts from the facts alone, for a person to edit. The findings come most urgent first; by their ids, `retests` has the last
 * finished retests, and `lastOpen` the times at which resolved ones were last open.
 */
export function draftFrom(
  all: readonly DraftFinding[],
  retests: ReadonlyMap<number, FinishedRetest>,
  lastOpen: ReadonlyMap<number, Date>,
): ReportTexts {
  const open = all.filter(({ status }) => isOpen(status));
  const resolved = all.filter(({ status }) => status === FINDING_STATUS.resolved);
  const proved = resolved.filter(({ id }) => provesFix(retests.get(id), lastOpen.get(id))).length;
  const still = open.filter(({ id }) => retests.get(id)?.result === 'still_vulnerable').length;
  const retested = all.filter(({ id }) => retests.has(id)).length;
  const setAside = all.length - open.length - resolved.length;
  const severities = open.map(({ severity }) => severity);
  const worst = severities.length === 0 ? undefined : SEVERITIES[Math.max(...severities) as 0];
  const first = open
    .slice(0, MAX_NAMED)
    .map(
      ({ id, title, assetValue }, index) =>
        `${index + 1}. Fix finding ${id}, ${escaped(title)}, on ${escaped(assetValue)}.`,
    );
  return {
    rating: ratingOf(worst),
    summary: [
      all.length === 0 ? 'There are no findings.' : `There are ${findings(all.length)}: ${bySeverity(all)}.`,
      `${are(open.length)} open, ${are(resolved.length)} fixed, and ${are(setAside)} set aside by a decision.`,
      `${retested} of ${findings(all.length)} were retested: ${are(proved)} fixed and proved, and ${are(still)} still vulnerable.`,
    ].join('\n\n'),
    conclusion:
      open.length === 0
        ? 'No finding is open.'
        : `${findings(open.length)} still ${open.length === 1 ? 'needs' : 'need'} a fix or a decision: ${bySeverity(open)}.`,
    next_steps: first.length === 0 ? 'Repeat the tests after the next change.' : first.join('\n'),
  };
}
