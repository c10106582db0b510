import { createServer, type Server, type TLSSocket } from 'node:tls';
import { certificate } from './certificate';

const CERTIFICATE = certificate({ key: 'rsa' });
const HEAD_BYTES = 9;

export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  continuation: 9,
} as const;
export const END_STREAM = 1;
export const END_HEADERS = 4;

/** An HTTP/2 frame (RFC 9113, 4.1), by default for the first request. */
export function frame(type: number, flags = 0, payload: Buffer | string = '', stream = 1): Buffer {
  const content = Buffer.from(payload);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(content.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, content]);
}

/** Header fields without compression, each shorter than 127 bytes. */
export const fields = (...pairs: readonly (readonly [name: string, value: string])[]): Buffer =>
  Buffer.concat(
    pairs.map(([name, value]) =>
      Buffer.concat([
        Buffer.from([0, name.length]),
        Buffer.from(name),
        Buffer.from([value.length]),
        Buffer.from(value),
      ]),
    ),
  );

export const errorCode = (code: number): Buffer => Buffer.from([0, 0, 0, code]);

/** A TLS server that negotiates HTTP/2 and sends these bytes after the request: a hostile server, or one that was cut off. */
export class Http2Server {
  private readonly sockets = new Set<TLSSocket>();

  private constructor(private readonly server: Server) {}

  static async start(behave: (socket: TLSSocket) => void, protocols = ['h2']): Promise<Http2Server> {
    const server = createServer({ ...CERTIFICATE, ALPNProtocols: protocols });
    const started = new Http2Server(server);
    server
      .on('tlsClientError', () => {})
      .on('secureConnection', (socket) => {
        started.sockets.add(socket);
        socket
          .on('error', () => {})
          .once('data', () => {
            socket.write(Buffer.concat([frame(FRAME.settings, 0, '', 0), frame(FRAME.settings, 1, '', 0)]));
            behave(socket);
          });
      });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return started;
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }
}
