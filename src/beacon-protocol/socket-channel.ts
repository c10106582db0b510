import type { Socket } from 'node:net';
import type { Channel } from './channel';
import { encodeFrame, encodeJson, FRAME, MAX_FRAME_BYTES } from './frame';
import { Heartbeat } from './heartbeat';
import type { Receiver } from './websocket-channel';

const LENGTH_BYTES = 4;
const PING = encodeFrame(FRAME.control, 0, encodeJson({ type: 'ping' }));

/** Frames with their length in front, over a TCP or TLS connection. */
export function socketChannel(socket: Socket): Channel {
  return {
    send: (frame) =>
      new Promise((resolve, reject) => {
        const length = Buffer.allocUnsafe(LENGTH_BYTES);
        length.writeUInt32BE(frame.length);
        socket.write(length);
        socket.write(frame, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => socket.destroy(),
  };
}

export function receiveFromSocket(socket: Socket, receiver: Receiver): void {
  // Otherwise each frame waits until the other side has acknowledged its length.
  socket.setNoDelay();
  let received: Buffer = Buffer.alloc(0);
  const ping = (): void =>
    void socketChannel(socket)
      .send(PING)
      .catch(() => {});
  const heartbeat = new Heartbeat(ping, (reason) => {
    receiver.end(reason);
    socket.destroy();
  });
  socket.on('data', (chunk: Buffer) => {
    heartbeat.received();
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    for (;;) {
      if (received.length < LENGTH_BYTES) return;
      const length = received.readUInt32BE(0);
      if (length > MAX_FRAME_BYTES) {
        receiver.close('protocol violation: a frame is too long');
        return;
      }
      if (received.length < LENGTH_BYTES + length) return;
      // Copied, because the rest of the chunk would be kept as long as the frame is.
      receiver.receive(Buffer.from(received.subarray(LENGTH_BYTES, LENGTH_BYTES + length)));
      received = received.subarray(LENGTH_BYTES + length);
    }
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    heartbeat.stop();
    receiver.end('the connection was closed');
  });
}
