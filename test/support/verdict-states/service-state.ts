import { connect, type Socket } from 'node:net';
import type { KnownLimit } from './known-limits';
import type { Truth } from './truth';

/** Answers one connection; `first` are the bytes that were already read. */
export type Conversation = (socket: Socket, connection: number) => void;

/** A state of a server that is no site: what it does with each connection. */
export interface ServiceState<Server extends string = string> {
  readonly name: string;
  readonly truth: Truth;
  readonly limit?: KnownLimit;
  /** What a host with an IPv6 address does there; without it, it has none. */
  readonly version6?: (ports: (server: Server) => number) => Conversation;
  readonly begin: (ports: (server: Server) => number) => Conversation;
}

/** Leads a connection to a real server on loopback. */
export function lead(socket: Socket, port: number, first?: Buffer): void {
  const inner = connect(port, '127.0.0.1');
  inner.on('error', () => socket.destroy());
  socket.on('error', () => inner.destroy()).on('close', () => inner.destroy());
  if (first !== undefined) inner.write(first);
  inner.pipe(socket);
  socket.pipe(inner);
}

/** The same bytes to everybody. */
export const saying =
  (bytes: string | Buffer): Conversation =>
  (socket) => {
    socket.on('error', () => socket.destroy());
    socket.resume().end(bytes);
  };

export const dropping: Conversation = (socket) => void socket.destroy();
