import { isIP } from 'node:net';
import type { Baseline } from './baseline';
import type { Check } from './check';
import { isAnotherServer } from './snapshot';

/** What a scanner saw of a target together with the weakness. */
export interface SeenTarget {
  /** The product in the Server header of the response. */
  readonly server: string | null;
  readonly title: string | null;
  readonly address: string | null;
  /** Whether the request contained Cookie or Authorization. */
  readonly isSignedIn: boolean;
}

/**
 * Common servers, which run on many hosts, so they do not identify a target at another address. Servers of proxies, which have
 * many addresses, do.
 */
const USUAL_SERVERS = /^(?:nginx|apache|openresty|microsoft-iis|litespeed|caddy|envoy|gunicorn|kestrel)\b/;

/** Why the target may not be the one that someone else saw, although the same site now answers every request; or null. */
export function otherTargetReason(
  check: Check,
  seen: SeenTarget,
  now: Baseline,
  addresses: readonly string[],
): string | null {
  if (now.on !== 'web') return null;
  const { page } = now;
  if (seen.isSignedIn) return 'the scanner had sent a Cookie or an Authorization, and the test is not signed in';
  if (isAnotherServer({ ...page, server: seen.server }, page))
    return `the scanner had a response from the server ${seen.server}, and now ${page.server} responds: this may be another site`;
  const isSameServer = seen.server !== null && seen.server === page.server && !USUAL_SERVERS.test(seen.server);
  const others = addresses.filter((address) => isIP(address) === isIP(seen.address ?? ''));
  if (seen.address !== null && others.length > 0 && !others.includes(seen.address) && !isSameServer)
    return `the scanner saw it at ${seen.address}, and now the name leads to ${others[0]}: this may be another site`;
  if (check.on === 'page' && check.isAboutDocuments === true && seen.title !== null && seen.title !== page.title)
    return `the page that the scanner saw had the title ${JSON.stringify(seen.title)}: this may be another site`;
  return null;
}
