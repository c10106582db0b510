import { isFirewallPage } from '../firewall-pages';
import type { Page } from '../page';
import { blockReason } from '../response-trust';
import { differenceOf, type Snapshot, snapshot } from '../snapshot';

/** Statuses that a firewall, a rate limit or a failing server sends instead of the application. */
export const REFUSALS = new Set([401, 402, 403, 405, 406, 407, 418, 421, 429, 451]);

/** Every request gets these at the moment, so the response to a word proves nothing. */
export const OVERLOADS = new Set([429, 503]);

/** Earlier versions did not keep the response to the value. */
function changeOf(before: Snapshot | undefined, now: Snapshot): string | null {
  if (before !== undefined) return differenceOf(before, now);
  if (now.redirect !== null) return `it redirects to ${now.redirect}`;
  return now.status < 400 ? null : `it responds with ${now.status}`;
}

/** How the response to the value itself has changed since the weakness was seen, or null. */
export async function changeOfOriginal(before: Snapshot | undefined, page: Page): Promise<string | null> {
  const change = changeOf(before, await snapshot(page));
  return change && `the value itself is no longer answered as when the weakness was seen: ${change}`;
}

/** A program may fail with the original value, or with any value that it does not expect. */
export const isOwnFailure = (page: Page): boolean => page.status === 500 && !isFirewallPage(page);

export const failsAsBefore = async (before: Snapshot | undefined, now: Page): Promise<boolean> =>
  before?.status === now.status && isOwnFailure(now) && changeOf(before, await snapshot(now)) === null;

/** A snapshot of the response if it shows what the page is like, or undefined. */
export const shownOriginal = async (page: Page | null): Promise<Snapshot | undefined> =>
  page === null || (blockReason(page) !== null && !isOwnFailure(page)) ? undefined : snapshot(page);
