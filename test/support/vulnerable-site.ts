import { createServer, type Server, type ServerResponse } from 'node:http';

/**
 * The check `missing-nosniff` sees `vulnerable` or `fixed`; for `exposed-git` the site has the Git file in `exposed`, also
 * while the front page fails (`outage`) or is missing (`gone`), no longer has it in `removed`, and refuses it in `refused`.
 * In `protected` it is `fixed`, has frame protection, and names its server.
 */
type SiteState =
  | 'vulnerable'
  | 'fixed'
  | 'protected'
  | 'unavailable'
  | 'redirected'
  | 'exposed'
  | 'outage'
  | 'gone'
  | 'removed'
  | 'refused';

const page = '<!doctype html><title>A site</title><h1>A site</h1><p>The same text in every state.</p>';
const redesigned = `<!doctype html><title>New</title><main><ul>${'<li>Another text</li>'.repeat(20)}</ul></main>`;

const gitFile = '/.git/HEAD';

type Answer = (response: ServerResponse, path: string, frontPage: string) => void;

const paths: Answer = (response, path, frontPage) => {
  if (path === '/') response.setHeader('content-type', 'text/html').end(frontPage);
  else if (path === gitFile) response.end('ref: refs/heads/main\n');
  else response.writeHead(404, { 'content-type': 'text/html' }).end('<title>Not found</title>');
};

const answers: Readonly<Record<SiteState, Answer>> = {
  vulnerable: (response) => response.setHeader('content-type', 'text/html').end(page),
  fixed: (response) =>
    response.setHeader('content-type', 'text/html').setHeader('x-content-type-options', 'nosniff').end(page),
  protected: (response, path, frontPage) =>
    answers.fixed(response.setHeader('server', 'site').setHeader('x-frame-options', 'DENY'), path, frontPage),
  unavailable: (response) => response.writeHead(503).end('Service unavailable'),
  redirected: (response) => response.writeHead(302, { location: 'https://login.example.com/' }).end(),
  exposed: paths,
  outage: (response, path, frontPage) =>
    path === '/' ? response.writeHead(503).end('Service unavailable') : paths(response, path, frontPage),
  gone: (response, path, frontPage) => paths(response, path === '/' ? '/missing' : path, frontPage),
  refused: (response, path, frontPage) => {
    response.setHeader('server', 'site');
    if (path.split('?', 1)[0] !== gitFile) paths(response, path, frontPage);
    else response.writeHead(403, { 'content-type': 'text/html' }).end('<title>Forbidden</title>');
  },
  removed: (response, path, frontPage) => paths(response, path === gitFile ? '/missing' : path, frontPage),
};

/** While it responds, a path that is made up to be missing is missing. */
const answerOf = (state: SiteState, path: string): Answer =>
  /^(?:vulnerable|fixed|protected)$/.test(state) && path.includes('/nothing-') ? paths : answers[state];

/** A web server without `nosniff` that can be fixed. Its port is known before it listens. */
export class VulnerableSite {
  readonly port = 20_000 + Math.floor(Math.random() * 10_000);
  readonly endpoint = `${this.address}:${this.port}`;
  readonly url = `http://${this.endpoint}/`;
  state: SiteState = 'vulnerable';
  isRedesigned = false;
  requestCount = 0;
  connectionCount = 0;
  readonly headerNames = new Set<string>();
  private holdAt = Infinity;
  private heldAnswers: (() => void)[] | null = null;
  private server: Server | undefined;

  constructor(
    private readonly address = '127.0.0.1',
    private readonly delayMs = 0,
  ) {}

  async start(): Promise<void> {
    this.server = createServer(({ url = '/', headers }, response) => {
      this.requestCount++;
      for (const name of Object.keys(headers)) this.headerNames.add(name);
      if (this.requestCount >= this.holdAt) this.hold();
      const answer = (): void => answerOf(this.state, url)(response, url, this.isRedesigned ? redesigned : page);
      if (this.heldAnswers !== null) this.heldAnswers.push(answer);
      else if (this.delayMs === 0) answer();
      else setTimeout(answer, this.delayMs).unref();
    });
    this.server.on('connection', () => this.connectionCount++);
    await new Promise<void>((resolve, reject) => {
      this.server?.once('error', reject).listen(this.port, this.address, resolve);
    });
  }

  /** Holds back all answers until `release()`. */
  hold(): void {
    this.heldAnswers ??= [];
  }

  /** Answers only so many requests from now, and holds back the others. */
  holdAfter(requests: number): void {
    this.holdAt = this.requestCount + requests + 1;
  }

  get heldRequests(): number {
    return this.heldAnswers?.length ?? 0;
  }

  release(): void {
    const heldRequests = this.heldAnswers ?? [];
    this.heldAnswers = null;
    this.holdAt = Infinity;
    for (const answer of heldRequests) answer();
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}
