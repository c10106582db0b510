import type { Target } from '../../../engine';
import { parseUrl } from '../../../kernel/parse-url';
import { portOf } from '../../../kernel/web-url';

/**
 * Of assets that are equally close to a target those whose page is the closest: the target's own, or the deepest that it
 * lies below. All of them where it lies below none, as where they are no pages.
 */
export function withClosestPage<A extends { readonly value: string }>(assets: readonly A[], target: Target): A[] {
  const deepest = Math.max(...assets.map(({ value }) => depthAbove(value, target)));
  return assets.filter(({ value }) => depthAbove(value, target) === deepest);
}

/** How far down a page is that the target is or lies below; 0 for every other, and for what is no page. */
function depthAbove(value: string, { scheme, port, path }: Target): number {
  const url = parseUrl(value);
  if (url?.protocol !== `${scheme}:` || portOf(url) !== port) return 0;
  return isBelow(path, url.pathname) ? url.pathname.length : 0;
}

/** Step by step: /apple is not below /app. */
const isBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(above.endsWith('/') ? above : `${above}/`);
