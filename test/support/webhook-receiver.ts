import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedMessage {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Receives what webhooks send. Each path may have an answer of its own; without one it is a 204. */
export class WebhookReceiver {
  readonly received: ReceivedMessage[] = [];
  private readonly answers = new Map<string, Answer>();
  private port = 0;
  /** Connections that were opened. */
  connections = 0;
  private readonly server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const { url: path = '', headers } = request;
        this.received.push({ path, headers, body, at: Date.now() });
        const answer = this.answers.get(path);
        if (answer === undefined) response.writeHead(204).end();
        else answer(request, response, body);
      },
      () => undefined,
    );
  }).on('connection', () => this.connections++);

  /** For processes that send to it; to be read after it has started. */
  get settings(): { WEBHOOK_ALLOW: string } {
    const entry = (): string => this.entry;
    return {
      get WEBHOOK_ALLOW() {
        return entry();
      },
    };
  }

  get entry(): string {
    return `127.0.0.1:${this.port}`;
  }

  url(path: string, host = '127.0.0.1'): string {
    return `http://${host}:${this.port}${path}`;
  }

  answer(path: string, answer: Answer): void {
    this.answers.set(path, answer);
  }

  status(path: string, status: number, headers: Readonly<Record<string, string>> = {}): void {
    this.answer(path, (_request, response) => response.writeHead(status, headers).end());
  }

  at(path: string): ReceivedMessage[] {
    return this.received.filter((message) => message.path === path);
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** One for all tests of a file. Call it before `useApi`. */
export function useWebhookReceiver(): WebhookReceiver {
  const receiver = new WebhookReceiver();
  beforeAll(() => receiver.start());
  afterAll(() => receiver.stop());
  return receiver;
}
