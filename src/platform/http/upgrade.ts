import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/** What a WebSocket needs after the guards have passed its request. */
export interface Upgrade {
  readonly socket: Duplex;
  /** The bytes that arrived with the request. */
  readonly head: Buffer;
}

/** How long the rest of a request whose upgrade was ignored may take to arrive. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Names and values. Node keeps about 2,000, so that the length of the body could be among the missing ones. */
const MAX_RAW_HEADERS = 1_800;
const IGNORED_HEADERS = new Set(['upgrade', 'connection', 'http2-settings']);

const upgrades = new WeakMap<IncomingMessage, { response: ServerResponse; upgrade: Upgrade }>();
const taken = new WeakSet<Duplex>();

const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

/**
 * Serves requests with an `Upgrade` header. A WebSocket is handled as a request, which its controller may take over with
 * `takeUpgrade`. For other protocols (Java's client asks for h2c with each request) the header is ignored, as HTTP allows:
 * `plain`, a server that does not listen and accepts no upgrades, reads the request again without it.
 */
export function acceptUpgrades(server: Server, plain: Server): void {
  // As requests of the server, which counts and drains them.
  plain.on('request', (request, response) => server.emit('request', request, response));
  plain.prependListener('request', (request, response) => {
    // The server that listens checks the time of its own requests only.
    response.shouldKeepAlive = false;
    const late = setTimeout(() => (request.complete ? undefined : request.socket.destroy()), REQUEST_TIMEOUT_MS);
    response.once('close', () => clearTimeout(late));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.rawHeaders.length > MAX_RAW_HEADERS) {
      socket.destroy();
      return;
    }
    if (!isWebSocket(request)) {
      socket.unshift(Buffer.concat([headOf(request), head]));
      plain.emit('connection', socket);
      return;
    }
    // Node no longer watches the connection.
    socket.on('timeout', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    const drained = (): boolean => response.emit('drain');
    socket.on('drain', drained);
    response.once('close', () => socket.off('drain', drained));
    upgrades.set(request, { response, upgrade: { socket, head } });
    server.emit('request', request, response);
  });
}

/** The connection of a request for a WebSocket, which has no response any more; undefined for other requests. */
export function takeUpgrade(request: IncomingMessage): Upgrade | undefined {
  const found = upgrades.get(request);
  if (found === undefined) return undefined;
  upgrades.delete(request);
  taken.add(found.upgrade.socket);
  const { response } = found;
  response.detachSocket(found.upgrade.socket as Socket);
  // It will not be sent, and its listeners wait for its end.
  response.statusCode = 101;
  response.emit('close');
  return found.upgrade;
}

/** Whether a controller has taken over this connection. */
export const isTaken = (socket: Duplex): boolean => taken.has(socket);

/** The request as it came, without the headers that ask for an upgrade. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (!IGNORED_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}
