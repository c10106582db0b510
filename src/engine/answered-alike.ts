import { isEquivalentRedirect, type Page, redirectOf } from './page';
import { resembles, snapshot } from './snapshot';

/** The Server field as it is, or null. */
export const serverField = ({ headers }: Page): string | null => headers.get('server')?.trim().toLowerCase() ?? null;

const firstOf = (page: Page): Page => (page.hops[0] === undefined ? page : { ...page.hops[0], hops: [] });

const pathOf = ({ url }: Page): string => new URL(url).pathname;

/** Whether two paths are answered in the same way, by the same server. */
export async function isAnsweredAs(one: Page, other: Page): Promise<boolean> {
  const [first, otherFirst] = [firstOf(one), firstOf(other)];
  if (first.status !== otherFirst.status || serverField(first) !== serverField(otherFirst)) return false;
  const [to, otherTo] = [redirectOf(first), redirectOf(otherFirst)];
  if (to !== null && otherTo !== null) return isEquivalentRedirect(pathOf(first), to, pathOf(otherFirst), otherTo);
  if (to !== otherTo) return false;
  return first.text.trim() === otherFirst.text.trim() || resembles(await snapshot(first), await snapshot(otherFirst));
}
