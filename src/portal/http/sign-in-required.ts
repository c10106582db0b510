/** Thrown for a page that needs a session. The error filter redirects to the sign-in, which leads back to the page. */
export class SignInRequired extends Error {
  constructor(readonly path: string) {
    super('Sign in first.');
    this.name = 'SignInRequired';
  }
}

/** A path of the portal that a form names; never another site. */
export function ownPath(named: string): string | undefined {
  if (!/^\/[A-Za-z0-9]/.test(named) || named.length > 2_000) return undefined;
  const url = new URL(named, 'http://portal.invalid');
  return url.host === 'portal.invalid' ? url.pathname + url.search : undefined;
}

/** The page to return to after the sign-in. */
export const returnPath = (next = '/'): string => ownPath(next) ?? '/';
