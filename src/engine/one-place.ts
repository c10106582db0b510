import { isBuiltAlike } from './built-alike';
import type { SeenFinding } from './spots';
import { isWeb, locationOf, parseLocation } from './target';

const INDEX = /\/(?:index|default)\.(?:php\d?|phtml|html?|jspx?|aspx?|cfm|cgi|pl)$/i;

/** Equal for addresses that servers answer with the same page: a folder with and without a slash, and its index. */
export const pagePathOf = (path: string): string => path.replace(INDEX, '/').replace(/(?<=.)\/$/, '');

/** Equal for all addresses of a page. */
export function pageLocationOf(location: string): string {
  const place = parseLocation(location);
  return isWeb(place) ? locationOf({ ...place, path: pagePathOf(place.path) }) : location;
}

/** Whether two findings are about the same parameter of a page that has two addresses and is built the same at both. */
export function isOfOnePage(one: SeenFinding, other: SeenFinding): boolean {
  const [first, second] = [parseLocation(one.location), parseLocation(other.location)];
  if (!isWeb(first) || first.parameter === undefined || first.path === second.path) return false;
  return (
    pageLocationOf(one.location) === pageLocationOf(other.location) &&
    one.baseline?.on === 'web' &&
    other.baseline?.on === 'web' &&
    isBuiltAlike(one.baseline.page, other.baseline.page)
  );
}
