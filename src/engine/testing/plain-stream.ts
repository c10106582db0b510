import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** A connected socket as a plain stream, without the other features of a socket, like a stream through a beacon. */
export function plainStream(socket: Socket): Duplex {
  const stream = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, done),
    final: (done) => void socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    if (!stream.push(chunk)) socket.pause();
  });
  socket.on('end', () => stream.push(null));
  socket.on('error', (error) => stream.destroy(error));
  return stream;
}
