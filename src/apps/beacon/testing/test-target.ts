import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Endpoint } from '../../../beacon-protocol/endpoint';
import { closeAfterTest } from './resources';

export interface TestTarget extends Endpoint {
  /** The connections that it has received. */
  readonly sockets: readonly Socket[];
}

/** A server on loopback, which `toLoopback` reaches at an address of a private network. */
export async function startTarget(serve: (socket: Socket) => void, address = '10.20.0.5'): Promise<TestTarget> {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterTest(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { address, port: (server.address() as AddressInfo).port, sockets };
}

export const echo = (socket: Socket): void => void socket.pipe(socket);

/** A socket to loopback that claims to be connected to this address of a private network. */
export function toLoopback({ address, port }: Endpoint): Socket {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  Object.defineProperty(socket, 'remoteAddress', { value: address });
  return socket;
}
