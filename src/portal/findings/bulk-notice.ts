import { groupBy } from '../../kernel/group-by';
import type { BulkResult } from '../../modules/retests';
import { pluralize } from '../frame/words';

const MAX_NAMED = 10;

/** How many were changed, and which were not and why. */
export function noticeOfBulk(results: readonly BulkResult[], what: 'finding' | 'claim' = 'finding'): string {
  const refused = results.filter(({ error }) => error !== null);
  const changed = results.length - refused.length;
  const reasons = [...groupBy(refused, ({ error }) => error?.message ?? '')].map(
    ([reason, ofReason]) => `${numbersOf(ofReason)}: ${reason}`,
  );
  const sentences = [`${pluralize(changed, what)} ${what === 'claim' ? 'under test' : 'changed'}.`];
  if (refused.length > 0) sentences.push(`${refused.length} refused. ${reasons.join(' ')}`);
  return sentences.join(' ');
}

function numbersOf(results: readonly BulkResult[]): string {
  const named = results.slice(0, MAX_NAMED).map(({ findingId }) => `#${findingId}`);
  const others = results.length - named.length;
  return `${named.join(', ')}${others === 0 ? '' : ` and ${others} more`}`;
}
