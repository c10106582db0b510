import { type Socket, connect } from 'node:net';

export interface BenchRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly responses: number;
}

export interface LoadOptions {
  readonly url: string;
  /** One list for each connection, which sends its requests in order, repeatedly. */
  readonly requests: readonly (readonly BenchRequest[])[];
  readonly seconds: number;
  readonly expectedStatus: number;
}

const endOfHeaders = '\r\n\r\n';

function bytesOf({ method, path, headers, body }: BenchRequest): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  const bodyHeaders =
    body === undefined ? '' : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  const ownHeaders = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${ownHeaders.join('')}${bodyHeaders}\r\n${text}`,
  );
}

/**
 * A keep-alive connection that sends the next request when it has the response. It parses only status and length, to use
 * little CPU time on the machine that it measures.
 */
class Connection {
  private readonly requests: Buffer[];
  private next = 0;
  private sentAt = 0;
  private received = '';
  private missingBytes: number | null = null;

  constructor(
    private readonly socket: Socket,
    requests: readonly BenchRequest[],
    private readonly expected: string,
    private readonly until: number,
    private readonly latencies: number[],
    private readonly done: (error?: Error) => void,
  ) {
    this.requests = requests.map(bytesOf);
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (text: unknown) => this.receive(String(text)));
    socket.on('error', done);
    socket.on('close', () => done(new Error('the server closed the connection')));
    socket.on('connect', () => this.sendNext());
  }

  private sendNext(): void {
    const request = this.requests[this.next++ % this.requests.length];
    if (request === undefined) throw new Error('a connection needs at least one request');
    this.sentAt = performance.now();
    this.socket.write(request);
  }

  private receive(text: string): void {
    if (this.missingBytes === null) {
      this.received += text;
      const end = this.received.indexOf(endOfHeaders);
      if (end < 0) return;
      const head = this.received.slice(0, end);
      if (head.slice(9, 12) !== this.expected) return this.fail(`expected a response with status ${this.expected}`);
      const length = this.expected === '304' ? '0' : /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (length === undefined) return this.fail('expected a response with a Content-Length header');
      this.missingBytes = Number(length) - (this.received.length - end - endOfHeaders.length);
    } else {
      this.missingBytes -= text.length;
    }
    if (this.missingBytes === 0) this.finishResponse();
  }

  private finishResponse(): void {
    this.received = '';
    this.missingBytes = null;
    const now = performance.now();
    this.latencies.push(now - this.sentAt);
    if (now < this.until) return this.sendNext();
    this.socket.removeAllListeners('close').end();
    this.done();
  }

  private fail(expectation: string): void {
    this.socket.destroy();
    this.done(new Error(`${expectation}, got:\n${this.received}`));
  }
}

/** Sends requests as fast as the server answers. A response with another status, or without Content-Length, fails the run. */
export async function generateLoad({ url, requests, seconds, expectedStatus }: LoadOptions): Promise<LoadResult> {
  const { port } = new URL(url);
  const latencies: number[] = [];
  const start = performance.now();
  const until = start + seconds * 1_000;
  await Promise.all(
    requests.map(
      (ownRequests) =>
        new Promise<void>((resolve, reject) => {
          const socket = connect(Number(port), '127.0.0.1');
          const end = (error?: Error): void => (error === undefined ? resolve() : reject(error));
          return new Connection(socket, ownRequests, String(expectedStatus), until, latencies, end);
        }),
    ),
  );
  const elapsed = (performance.now() - start) / 1_000;
  latencies.sort((one, other) => one - other);
  const percentile = (fraction: number): number => latencies[Math.floor(latencies.length * fraction)] ?? 0;
  return {
    perSecond: latencies.length / elapsed,
    p50: percentile(0.5),
    p99: percentile(0.99),
    responses: latencies.length,
  };
}
