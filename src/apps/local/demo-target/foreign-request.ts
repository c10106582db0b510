import type { IncomingMessage } from 'node:http';

interface RequestRefusal {
  readonly status: number;
  readonly reason: string;
}

const ownNames = ['127.0.0.1', 'localhost'];

/**
 * Refuses requests with another host name (DNS rebinding) and changes from pages of other sites (CSRF). A browser on this machine
 * could send both.
 */
export function foreignRequestRefusal({ headers, method, socket }: IncomingMessage): RequestRefusal | undefined {
  const own = ownNames.map((name) => new URL(`http://${name}:${socket.localPort}/`));
  if (!own.some(({ host }) => host === headers.host?.toLowerCase())) {
    return { status: 421, reason: `Wrong host name. Use ${own[0]?.host}.` };
  }
  if (method === 'GET' || method === 'HEAD') return undefined;
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  const isOurs = origin === undefined || own.some((one) => one.origin === origin);
  if (isOurs && (site === 'none' || site === 'same-origin')) return undefined;
  return { status: 403, reason: 'Requests from the pages of other sites are refused.' };
}
