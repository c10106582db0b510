import type { IncomingMessage } from 'node:http';

interface RequestRefusal {
  readonly status: number;
  readonly reason: string;
}

const ownNames = ['127.0.0.1', 'localhost'];

/**
 * Who must not come in, although the server is for this machine alone: a browser is on this machine too, and does what
 * the pages of strangers say.
 */
export function foreignRequestRefusal({ headers, method, socket }: IncomingMessage): RequestRefusal | undefined {
  const own = ownNames.map((name) => new URL(`http://${name}:${socket.localPort}/`));
  // A name of somebody else's that leads here.
  if (!own.some(({ host }) => host === headers.host?.toLowerCase())) {
    return { status: 421, reason: `This is ${own[0]?.host}, and answers to no other name.` };
  }
  if (method === 'GET' || method === 'HEAD') return undefined;
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  const isOurs = origin === undefined || own.some((one) => one.origin === origin);
  if (isOurs && (site === 'none' || site === 'same-origin')) return undefined;
  return { status: 403, reason: 'The switches are not for the pages of other sites.' };
}
