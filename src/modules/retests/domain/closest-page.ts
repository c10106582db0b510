import type { Target } from '../../../engine';
import { parseUrl } from '../../../kernel/parse-url';
import { portOf } from '../../../kernel/web-url';

/**
 * Of assets that are equally close to a target, those with the closest page: the target's own page, or the deepest page above
 * it. All of them where no page is above the target, or where they are not pages.
 */
export function withClosestPage<A extends { readonly value: string }>(assets: readonly A[], target: Target): A[] {
  const deepest = Math.max(...assets.map(({ value }) => depthAbove(value, target)));
  return assets.filter(({ value }) => depthAbove(value, target) === deepest);
}

/** The depth of a page that is the target or above it; 0 for every other page, and for values that are not pages. */
function depthAbove(value: string, { scheme, port, path }: Target): number {
  const url = parseUrl(value);
  if (url?.protocol !== `${scheme}:` || portOf(url) !== port) return 0;
  return isBelow(path, url.pathname) ? url.pathname.length : 0;
}

/** By whole segments: /apple is not below /app. */
const isBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(above.endsWith('/') ? above : `${above}/`);
