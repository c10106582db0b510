import { type Socket, connect } from 'node:net';

export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly authorization: string;
  readonly body?: object;
}

export interface Drive {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly answers: number;
}

export interface Load {
  readonly url: string;
  /** What each connection asks for, in turn and again from the start. */
  readonly asks: readonly (readonly Ask[])[];
  readonly seconds: number;
  readonly expect: number;
}

const blank = '\r\n\r\n';

function bytesOf({ method, path, authorization, body }: Ask): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const about = body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\n${about}\r\n${text}`,
  );
}

/**
 * One keep-alive connection that asks again as soon as it has its answer. Our own and not a library's, because it shares
 * two processors with what it measures: it reads of an answer no more than its status and its length.
 */
class Connection {
  private readonly requests: Buffer[];
  private next = 0;
  private asked = 0;
  private received = '';
  private missing = -1;

  constructor(
    private readonly socket: Socket,
    asks: readonly Ask[],
    private readonly expected: string,
    private readonly until: number,
    private readonly latencies: number[],
    private readonly done: (error?: Error) => void,
  ) {
    this.requests = asks.map(bytesOf);
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: unknown) => this.take(String(text)));
    socket.on('error', done);
    socket.on('close', () => done(new Error('the server closed the connection')));
    socket.on('connect', () => this.ask());
  }

  private ask(): void {
    const request = this.requests[this.next++ % this.requests.length];
    if (request === undefined) throw new Error('there is nothing to ask for');
    this.asked = performance.now();
    this.socket.write(request);
  }

  private take(text: string): void {
    if (this.missing < 0) {
      this.received += text;
      const end = this.received.indexOf(blank);
      if (end < 0) return;
      const head = this.received.slice(0, end);
      if (head.slice(9, 12) !== this.expected) return this.fail(head);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
      this.missing = length - (this.received.length - end - blank.length);
    } else {
      this.missing -= text.length;
    }
    if (this.missing === 0) this.answered();
  }

  private answered(): void {
    this.received = '';
    this.missing = -1;
    const now = performance.now();
    this.latencies.push(now - this.asked);
    if (now < this.until) return this.ask();
    this.socket.removeAllListeners('close').end();
    this.done();
  }

  private fail(head: string): void {
    this.socket.destroy();
    this.done(new Error(`the answer was not the expected ${this.expected}:\n${this.received || head}`));
  }
}

/** As many requests as the server takes, for some seconds. Any answer but the expected one ends the run. */
export async function drive({ url, asks, seconds, expect }: Load): Promise<Drive> {
  const { port } = new URL(url);
  const latencies: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1_000;
  await Promise.all(
    asks.map(
      (own) =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(Number(port), '127.0.0.1');
          const end = (error?: Error): void => (error === undefined ? resolve() : reject(error));
          return new Connection(socket, own, String(expect), until, latencies, end);
        }),
    ),
  );
  const elapsed = (performance.now() - began) / 1_000;
  latencies.sort((one, other) => one - other);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
  return { perSecond: latencies.length / elapsed, p50: at(0.5), p99: at(0.99), answers: latencies.length };
}
