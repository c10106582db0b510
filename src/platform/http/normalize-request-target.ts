const SCHEME_AND_HOST = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/** RFC 9112: a request line may contain an absolute URL. Only its path and query are used. */
export function normalizeRequestTarget(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(SCHEME_AND_HOST, '');
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
}
