import type { Mutant } from '../mutant';

/** Connections of clients and of gateways. */
export const gateways: readonly Mutant[] = [
  {
    name: 'connections: an address has no limit',
    file: 'src/platform/http/limit-connections.ts',
    search: 'if (open >= perAddress) {',
    replace: 'if (open < 0) {',
    spec: 'src/platform/http/limit-connections.spec.ts',
    test: 'resets the connections of an address above the limit',
  },
  {
    name: 'connections: closed ones still count',
    file: 'src/platform/http/limit-connections.ts',
    search: 'const left = (counts.get(network) ?? 1) - 1;',
    replace: 'const left = counts.get(network) ?? 1;',
    spec: 'src/platform/http/limit-connections.spec.ts',
    test: 'serves an address again when one of its connections has closed',
  },
  {
    name: 'connections: each IPv6 address of a client counts for itself',
    file: 'src/kernel/client-network.ts',
    search: 'parsed.parts.slice(0, 4), 0, 0, 0, 0',
    replace: 'parsed.parts.slice(0, 8)',
    spec: 'src/kernel/client-network.spec.ts',
    test: 'counts as',
  },
  {
    name: 'connections: a client may read one byte at a time',
    file: 'src/platform/http/slow-readers.ts',
    search: 'received - wait.received >= MIN_BYTES',
    replace: 'received - wait.received >= 0',
    spec: 'src/platform/http/streaming-response.spec.ts',
    test: 'aborts the response if the client reads',
  },
  {
    name: 'connections: a request that asks for a WebSocket may be read at any speed',
    file: 'src/platform/http/slow-readers.ts',
    search: "server.once('close', () => clearInterval(this.timer));",
    replace:
      "server.once('close', () => clearInterval(this.timer)); server.on('upgrade', (_request, socket: Socket) => this.waits.delete(socket));",
    spec: 'src/platform/http/streaming-response.spec.ts',
    test: 'aborts the response if the client asks for',
  },
  {
    name: 'connections: an idle connection of a gateway is closed at once',
    file: 'src/platform/http/connection-drain.ts',
    search: "!this.isGateway(socket.remoteAddress ?? '')",
    replace: 'true',
    spec: 'src/platform/http/connection-drain.spec.ts',
    test: 'answers a request that a gateway sends on a connection',
  },
  {
    name: 'connections: one that waits to be accepted is reset when the process stops',
    file: 'src/platform/http/connection-drain.ts',
    search: 'turn < MAX_TURNS',
    replace: 'turn < 0',
    spec: 'src/platform/http/connection-drain.spec.ts',
    test: 'that the system accepted before the process stopped listening',
  },
];
