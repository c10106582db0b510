import { createServer, type Server, type ServerResponse } from 'node:http';

type Mood = 'weak' | 'mended' | 'unavailable' | 'elsewhere';

const page = '<!doctype html><title>A site</title><h1>A site</h1><p>It says the same, however it is protected.</p>';

const answers: Readonly<Record<Mood, (response: ServerResponse) => void>> = {
  weak: (response) => response.setHeader('content-type', 'text/html').end(page),
  mended: (response) =>
    response.setHeader('content-type', 'text/html').setHeader('x-content-type-options', 'nosniff').end(page),
  unavailable: (response) => response.writeHead(503).end('Service unavailable'),
  elsewhere: (response) => response.writeHead(302, { location: 'https://login.example.com/' }).end(),
};

/** A web server with a weakness (no nosniff) that can be mended; on a port that is known before it listens. */
export class WeakSite {
  readonly port = 20_000 + Math.floor(Math.random() * 10_000);
  readonly endpoint = `${this.address}:${this.port}`;
  readonly url = `http://${this.endpoint}/`;
  mood: Mood = 'weak';
  asked = 0;
  private held: ServerResponse[] | null = null;
  private server: Server | undefined;

  constructor(
    private readonly address = '127.0.0.1',
    private readonly delayMs = 0,
  ) {}

  async start(): Promise<void> {
    this.server = createServer((_request, response) => {
      this.asked++;
      if (this.held !== null) this.held.push(response);
      else if (this.delayMs === 0) answers[this.mood](response);
      else setTimeout(() => answers[this.mood](response), this.delayMs);
    });
    await new Promise<void>((resolve, reject) => {
      this.server?.once('error', reject).listen(this.port, this.address, resolve);
    });
  }

  /** Answers nobody until it is let go. */
  hold(): void {
    this.held = [];
  }

  get waiting(): number {
    return this.held?.length ?? 0;
  }

  letGo(): void {
    const waiting = this.held ?? [];
    this.held = null;
    for (const response of waiting) answers[this.mood](response);
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}
