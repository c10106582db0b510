import { createServer, type Server, type ServerResponse } from 'node:http';

/**
 * `exposed` gives away a file of a Git repository, `outage` and `gone` do so while the front page fails or is missing, and
 * `removed` does so no longer.
 */
type Mood = 'weak' | 'mended' | 'unavailable' | 'elsewhere' | 'exposed' | 'outage' | 'gone' | 'removed';

const page = '<!doctype html><title>A site</title><h1>A site</h1><p>It says the same, however it is protected.</p>';
const redesigned = `<!doctype html><title>New</title><main><ul>${'<li>Another text</li>'.repeat(20)}</ul></main>`;

const gitFile = '/.git/HEAD';

type Answer = (response: ServerResponse, path: string, frontPage: string) => void;

const paths: Answer = (response, path, frontPage) => {
  if (path === '/') response.setHeader('content-type', 'text/html').end(frontPage);
  else if (path === gitFile) response.end('ref: refs/heads/main\n');
  else response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Not found</title>');
};

const answers: Readonly<Record<Mood, Answer>> = {
  weak: (response) => response.setHeader('content-type', 'text/html').end(page),
  mended: (response) =>
    response.setHeader('content-type', 'text/html').setHeader('x-content-type-options', 'nosniff').end(page),
  unavailable: (response) => response.writeHead(503).end('Service unavailable'),
  elsewhere: (response) => response.writeHead(302, { location: 'https://login.example.com/' }).end(),
  exposed: paths,
  outage: (response, path, frontPage) =>
    path === '/' ? response.writeHead(503).end('Service unavailable') : paths(response, path, frontPage),
  gone: (response, path, frontPage) => paths(response, path === '/' ? '/missing' : path, frontPage),
  removed: (response, path, frontPage) => paths(response, path === gitFile ? '/missing' : path, frontPage),
};

/** A web server with a weakness (no nosniff) that can be mended; on a port that is known before it listens. */
export class WeakSite {
  readonly port = 20_000 + Math.floor(Math.random() * 10_000);
  readonly endpoint = `${this.address}:${this.port}`;
  readonly url = `http://${this.endpoint}/`;
  mood: Mood = 'weak';
  isRedesigned = false;
  asked = 0;
  private held: (() => void)[] | null = null;
  private server: Server | undefined;

  constructor(
    private readonly address = '127.0.0.1',
    private readonly delayMs = 0,
  ) {}

  async start(): Promise<void> {
    this.server = createServer(({ url = '/' }, response) => {
      this.asked++;
      const answer = (): void => answers[this.mood](response, url, this.isRedesigned ? redesigned : page);
      if (this.held !== null) this.held.push(answer);
      else if (this.delayMs === 0) answer();
      else setTimeout(answer, this.delayMs).unref();
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
    for (const answer of waiting) answer();
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}
