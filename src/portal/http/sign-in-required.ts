/** Thrown for a page that needs a session. The error filter redirects to the sign-in, which leads back to the page. */
export class SignInRequired extends Error {
  constructor(readonly path: string) {
    super('Sign in first.');
    this.name = 'SignInRequired';
  }
}

/** A path of the portal to return to after the sign-in; never another site. */
export function returnPath(next: string | undefined): string {
  if (next === undefined || !/^\/[A-Za-z0-9]/.test(next) || next.length > 2_000) return '/';
  const url = new URL(next, 'http://portal.invalid');
  return url.host === 'portal.invalid' ? url.pathname + url.search : '/';
}
