import type { Page } from '../page';
import { blockReason } from '../response-trust';
import { differenceOf, type Snapshot, snapshot } from '../snapshot';

/** Earlier versions kept no answer to the value. */
function changeOf(before: Snapshot | undefined, now: Snapshot): string | null {
  if (before !== undefined) return differenceOf(before, now);
  if (now.redirect !== null) return `it redirects to ${now.redirect}`;
  return now.status < 400 ? null : `it responds with ${now.status}`;
}

/** Why the value itself is no longer answered as when the weakness was seen, or null. */
export async function changeOfOriginal(before: Snapshot | undefined, page: Page): Promise<string | null> {
  const change = changeOf(before, await snapshot(page));
  return change && `the value itself is no longer answered as when the weakness was seen: ${change}`;
}

/** A response that shows what the page is like, or nothing. */
export const shownOriginal = async (page: Page | null): Promise<Snapshot | undefined> =>
  page === null || blockReason(page) !== null ? undefined : snapshot(page);
