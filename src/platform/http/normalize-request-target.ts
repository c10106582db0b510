const schemeAndHost = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

/** RFC 9112: a request line may name a whole URL, of any host. Only its path and its query are ours to go by. */
export function normalizeRequestTarget(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(schemeAndHost, '');
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
}
