/** Thrown for a page that needs a session. The error filter redirects to the sign-in, which leads back to the page. */
export class SignInRequired extends Error {
  constructor(readonly path: string) {
    super('Sign in first.');
    this.name = 'SignInRequired';
  }
}

/** Not `//`, which begins the address of another site. */
const OWN_PATH = /^\/[A-Za-z0-9]/;

/** A path of the portal that a form names; never another site. */
export function ownPath(named: string): string | undefined {
  if (!OWN_PATH.test(named) || named.length > 2_000) return undefined;
  const url = new URL(named, 'http://portal.invalid');
  const path = url.pathname + url.search;
  // Again, because `/a/..//other.example` becomes `//other.example`.
  return url.host === 'portal.invalid' && OWN_PATH.test(path) ? path : undefined;
}

/** The page to return to after the sign-in. */
export const returnPath = (next = '/'): string => ownPath(next) ?? '/';
