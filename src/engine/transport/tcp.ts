import type { Duplex } from 'node:stream';
import { ExchangeError } from './exchange';
import type { Recording } from './recording';

/** One step of a conversation: what is sent, and when the reply is complete. */
export interface TcpStep {
  /** Absent if the server speaks first. */
  readonly send?: Buffer | string;
  /** Whether the bytes since the last step are a complete reply. Called for each piece. */
  readonly complete: (reply: Buffer) => boolean;
}

/** More than any expected reply. */
const LONGEST_REPLY = 65_536;

/** Sends each step, and returns one reply for each. */
export async function converse(socket: Duplex, steps: readonly TcpStep[], recording: Recording): Promise<Buffer[]> {
  const replies: Buffer[] = [];
  const chunks: AsyncIterator<Buffer> = socket[Symbol.asyncIterator]();
  for (const { send, complete } of steps) {
    if (send !== undefined) {
      recording.send(send);
      socket.write(send);
    }
    let reply = Buffer.alloc(0);
    while (!complete(reply)) {
      const { done, value } = await chunks.next();
      if (done === true)
        throw new ExchangeError(
          'closed',
          reply.length > 0
            ? 'the connection was closed before the response was complete'
            : 'the connection was closed without a response',
        );
      recording.receive(value);
      reply = Buffer.concat([reply, value]);
      if (reply.length > LONGEST_REPLY)
        throw new ExchangeError('too_large', `the reply is larger than ${LONGEST_REPLY} bytes`);
    }
    replies.push(reply);
  }
  return replies;
}
