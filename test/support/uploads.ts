import { once } from 'node:events';
import { type Socket, connect } from 'node:net';

export interface Upload {
  readonly port: number;
  /** The request line and the headers, each with its end of line, without those that frame the body. */
  readonly head: string;
  readonly bytes: number;
  readonly chunked?: boolean;
}

const PIECE = Buffer.alloc(65_536, 'x');

function framed(chunked: boolean, length: number): Buffer {
  const piece = PIECE.subarray(0, length);
  return chunked ? Buffer.concat([Buffer.from(`${length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]) : piece;
}

async function send(socket: Socket, { head, bytes, chunked = false }: Upload): Promise<void> {
  const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`;
  socket.write(`${head}${framing}\r\n\r\n`);
  for (let left = bytes; left > 0; left -= PIECE.length) {
    const isTaken = socket.write(framed(chunked, Math.min(left, PIECE.length)));
    if (!isTaken) await once(socket, 'drain');
  }
  if (chunked) socket.write('0\r\n\r\n');
}

/** Sends a whole body and only then reads the answer, as many clients do; an error of the connection is thrown. */
export async function answerToUpload(upload: Upload): Promise<string> {
  const socket = connect({ port: upload.port, host: '127.0.0.1', allowHalfOpen: true });
  const failed = new Promise<never>((_resolve, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed before the body was sent')));
  });
  failed.catch(() => undefined);
  try {
    await Promise.race([send(socket, upload), failed]);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    await Promise.race([once(socket, 'end'), failed]);
    return answer;
  } finally {
    socket.destroy();
  }
}
