import { nextStepOf } from '../../retests/domain/next-step';
import type { JobSuccess, UndecidedOfJob } from './job-success';

const BLOCKED_RULE =
  'Blocked: since version 0.2 a refusal shows no fix, unless a path that cannot have the weakness gets the same answer (docs/verdicts.md).';

const SHOWN = 3;

/** What to do about a test that decided nothing. */
export const stepOfJob = ({ refusal, ...test }: UndecidedOfJob): string | null =>
  nextStepOf({ ...test, offer: refusal === null ? null : 'refusal', isOfJob: true });

/** Says what to do about what was not decided, and the rule by which something is blocked. */
export function withNextSteps(outcome: JobSuccess): JobSuccess {
  const { undecided } = outcome;
  if (outcome.success !== false || undecided.length === 0) return outcome;
  const steps = [...new Set(undecided.flatMap((test) => stepOfJob(test) ?? []))];
  const rule = undecided.some(({ result }) => result === 'blocked') ? [BLOCKED_RULE] : [];
  const description = [outcome.description, ...rule, `Next: ${steps.slice(0, SHOWN).join(' ')}`].join(' ');
  return { ...outcome, description };
}
