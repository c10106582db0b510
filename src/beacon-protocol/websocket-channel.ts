import type { RawData, WebSocket } from 'ws';
import type { Channel } from './channel';
import { MAX_FRAME_BYTES } from './frame';
import { Heartbeat } from './heartbeat';

export const SUBPROTOCOL = 'assay.beacon.1';
export const MAX_MESSAGE_BYTES = MAX_FRAME_BYTES;
/** Streams wait until their data was passed on, so only answers to pings could need more than this. */
const MAX_BUFFERED_BYTES = 8 * 1_048_576;
/** More pings and pongs than this in one interval are an attack. */
const MAX_PINGS = 50;

/** The code of a violation, in RFC 6455. */
export const POLICY_VIOLATION = 1008;
const MAX_REASON_BYTES = 120;

export interface Receiver {
  receive(frame: Buffer): void;
  close(reason: string): void;
  end(reason: string): void;
}

const cut = (reason: string): string =>
  Buffer.from(reason)
    .subarray(0, MAX_REASON_BYTES)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');

export function webSocketChannel(socket: WebSocket): Channel {
  return {
    send: (frame) =>
      new Promise((resolve, reject) => {
        socket.send(frame, (error) => (error ? reject(error) : resolve()));
      }),
    close: (reason) => {
      socket.close(POLICY_VIOLATION, cut(reason));
      // Nothing limits what the other side sends after this.
      for (const event of ['message', 'ping', 'pong']) socket.once(event, () => socket.pause());
      // The other side may not answer, or its answer is not read.
      setTimeout(() => socket.terminate(), 1_000).unref();
    },
  };
}

/** Passes frames on, and ends the connection when the other side is silent or does not read. */
export function receiveFrom(socket: WebSocket, receiver: Receiver): void {
  let pings = 0;
  const lose = (reason: string): void => {
    receiver.end(reason);
    socket.terminate();
  };
  const heartbeat = new Heartbeat(() => {
    pings = 0;
    if (socket.bufferedAmount < MAX_BUFFERED_BYTES) socket.ping();
    else lose('the other side does not read');
  }, lose);
  const count = (): void => {
    heartbeat.received();
    pings += 1;
    if (pings > MAX_PINGS) receiver.close('too many pings or pongs');
  };
  socket.on('ping', count);
  socket.on('pong', count);
  socket.on('message', (data: RawData, isBinary: boolean) => {
    heartbeat.received();
    if (isBinary) receiver.receive(data as Buffer);
    else receiver.close('protocol violation: text messages are not part of the protocol');
  });
  socket.on('error', () => {});
  socket.on('close', (code: number, reason: Buffer) => {
    heartbeat.stop();
    receiver.end(reason.toString('utf8') || `the connection was closed (${code})`);
  });
}
