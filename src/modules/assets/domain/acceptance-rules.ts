import { dayOf } from '../../../kernel/day';
import { invalid } from '../../../kernel/domain-error';
import { isLine } from '../../../kernel/plain-text';

export const MAX_REASON_LENGTH = 500;

/** The reason is printed in the logs of pipelines, so it must not contain control characters. */
export function requireReason(text: string): void {
  if (text.trim() === '') throw invalid('reason must say why the check is accepted: it is blank.');
  if (!isLine(text)) throw invalid('reason must have no control characters.');
}

/** The end of the same day a year later. */
function latestEnd(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear() + 1, now.getUTCMonth(), now.getUTCDate() + 1) - 1);
}

/** An acceptance ends within a year, so that a person decides again. */
export function requireEnd(until: Date, now: Date): void {
  if (until <= now) throw invalid('until must be in the future.');
  const latest = latestEnd(now);
  if (until > latest) {
    throw invalid(`until must be at most a year ahead, ${dayOf(latest)} or earlier. Accept the check again then.`);
  }
}
