import type { KeyScope } from '../../../platform/api/caller';
import type { KeyUse } from '../../../platform/auth/authenticator';

/** When a key was last used for each kind of request. */
export type KeyUses = { readonly [use in KeyUse]?: string };

export const USES_KEPT_MS = 90 * 24 * 3_600_000;

/** Whether a key with these scopes may do all that one with the other scopes may. */
export const includesScopes = (scopes: readonly KeyScope[], others: readonly KeyScope[]): boolean =>
  scopes.includes('write') || others.every((scope) => scopes.includes(scope));

/** The fewest scopes for the requests since a date; undefined if the key was not used, or needs all that it has. */
export function narrowerScopes(scopes: readonly KeyScope[], uses: KeyUses, since: Date): KeyScope[] | undefined {
  const isUsed = (use: KeyUse): boolean => Date.parse(uses[use] ?? '') > since.getTime();
  if (isUsed('write')) return undefined;
  const needed = (['read', 'ci'] as const).filter(isUsed);
  if (needed.length === 0 && isUsed('poll')) needed.push(scopes.includes('ci') ? 'ci' : 'read');
  return needed.length === 0 || includesScopes(needed, scopes) ? undefined : needed;
}
