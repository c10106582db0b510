import { connect } from 'node:net';
import type { TestTarget } from './test-target';

/** Whether a ClientHello contains the extension with this number. */
export function hasExtension(hello: Buffer, wanted: number): boolean {
  let at = 44 + (hello[43] ?? 0);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + (hello[at] ?? 0) + 2;
  while (at + 4 <= hello.length) {
    if (hello.readUInt16BE(at) === wanted) return true;
    at += 4 + hello.readUInt16BE(at + 2);
  }
  return false;
}

const SUPPORTED_VERSIONS = 43;

export const knowsTls13 = (hello: Buffer): boolean => hasExtension(hello, SUPPORTED_VERSIONS);

/** Whether it offers HTTP/2. The random bytes of a ClientHello cannot match this. */
export const offersHttp2 = (hello: Buffer): boolean => hello.includes('\u0002h2');

/** Puts two servers behind a test target, as a balancer that reads the ClientHello does. */
export const routedByHello =
  (portFor: (hello: Buffer) => number) =>
  ({ server }: TestTarget): void => {
    server.service = (socket) =>
      void socket.once('data', (hello) => {
        const inner = connect(portFor(hello), '127.0.0.1', () => inner.write(hello));
        inner.on('error', () => socket.destroy()).pipe(socket);
        socket.on('close', () => inner.destroy()).pipe(inner);
      });
  };
