import type { VNode } from 'preact';
import { SEVERITIES, type Severity, severityNumber } from '../../kernel/severity';
import { type Belief, findingStatusVocabulary, type FindingStatus, wordOfStatus } from '../../modules/findings';
import type { RetestSummary } from '../../modules/retests';
import { labelOf } from './words';

const STEPS = [1, 2, 3, 4, 5];
const GAP = 5;

const barsOf = (steps: readonly number[]): string => steps.map((step) => `M${(step - 1) * GAP} 1h3v10h-3z`).join('');

/** By the number of the severity. Two paths, because one for each step would be a seventh of all elements of a list. */
const BARS = SEVERITIES.map((_severity, number) => ({
  reached: barsOf(STEPS.filter((step) => step <= number)),
  missing: barsOf(STEPS.filter((step) => step > number)),
}));

/** The word, and how far it is on a scale of five steps: color alone says nothing. */
export const SeverityBadge = ({ severity }: { severity: Severity }): VNode => (
  <span class={`severity ${severity}`}>
    <svg viewBox="0 0 24 12" width="24" height="12" aria-hidden="true">
      <path class="on" d={BARS[severityNumber(severity)]?.reached} />
      <path class="off" d={BARS[severityNumber(severity)]?.missing} />
    </svg>{' '}
    {labelOf(severity)}
  </span>
);

/** A filled mark, an outlined one, a broken one or a struck one, each with its word. */
export const BeliefBadge = ({ belief }: { belief: Belief | 'not_proved' }): VNode => (
  <span class={`belief ${belief}`}>
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <circle cx="6" cy="6" r="4.5" />
      {belief === 'refuted' && <path d="M1 11 11 1" />}
    </svg>{' '}
    {labelOf(belief)}
  </span>
);

const STATUS_NAMES = new Map<FindingStatus, string>(
  findingStatusVocabulary.map(({ number, name }) => [number, labelOf(wordOfStatus(name))]),
);

export const statusLabel = (status: FindingStatus): string => STATUS_NAMES.get(status) ?? String(status);

/** Each result has its own shape. */
const CHECKED_CIRCLE = 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM5 8.2l2.1 2.1L11 6';
const DIAMOND = 'M8 1 15 8 8 15 1 8ZM8 4.5v4M8 10.8v.2';
const SHIELD = 'M8 1.5 2.5 3.5V8c0 3 2.3 5.3 5.5 6.5 3.2-1.2 5.5-3.5 5.5-6.5V3.5Z';
const CHECKED_SHIELD = `${SHIELD}M5.3 7.8l2 2 3.4-3.9`;
const BARRED_SHIELD = `${SHIELD}M5 8h6`;
const QUESTION = 'M2 2h12v12H2ZM6 6.3a2 2 0 1 1 2 2.2v.8M8 11.3v.2';

const VERDICT_ICONS: Readonly<Record<string, string>> = {
  fixed: CHECKED_CIRCLE,
  fixed_by_refusal: CHECKED_SHIELD,
  not_vulnerable: CHECKED_CIRCLE,
  still_vulnerable: DIAMOND,
  vulnerable: DIAMOND,
  not_found: CHECKED_CIRCLE,
  ready: CHECKED_CIRCLE,
  online: CHECKED_CIRCLE,
  finished: CHECKED_CIRCLE,
  delivered: CHECKED_CIRCLE,
  failed: DIAMOND,
  offline: DIAMOND,
  degraded: QUESTION,
  verified: CHECKED_CIRCLE,
  not_verified: QUESTION,
  passes: CHECKED_CIRCLE,
  error: DIAMOND,
  found: DIAMOND,
  fails: DIAMOND,
  could_not_be_decided: QUESTION,
  not_confirmed_as_fixed: QUESTION,
  inconclusive: QUESTION,
  blocked: BARRED_SHIELD,
};

const UNDECIDED_ICON = 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM8 4.5V8l2.5 1.5';

/** The result of a retest or of a probe, or the status of one without a result. */
export const VerdictBadge = ({ verdict }: { verdict: string }): VNode => (
  <span class={`verdict ${verdict}`}>
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={VERDICT_ICONS[verdict] ?? UNDECIDED_ICON} />
    </svg>{' '}
    {labelOf(verdict)}
  </span>
);

/** Of a retest: a refusal that counts as the fix is not the same as a weakness that is gone. */
export const resultOf = ({
  result,
  status,
  byRefusal,
}: Pick<RetestSummary, 'result' | 'status' | 'byRefusal'>): string =>
  byRefusal === null ? (result ?? status) : 'fixed_by_refusal';
