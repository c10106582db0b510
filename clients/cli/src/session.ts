import { readFileSync } from 'node:fs';
import { type AssayClient, createAssay, dataOf, nodeFetch, safeLine, type Schemas } from '../../sdk/src';
import { Output, type Terminal } from './output';
import { Problem } from './problem';
import { type Flags, readSettings, type Settings } from './settings';

declare const ASSAY_VERSION: string;

export interface CommonFlags extends Flags {
  readonly json?: boolean;
  readonly input?: boolean;
  readonly color?: boolean;
}

/** What a command works with. */
export class Session {
  readonly output: Output;
  readonly settings: Settings;
  /** Aborts when the user presses Ctrl-C, or the system ends the program. */
  readonly signal: AbortSignal;

  constructor(
    readonly terminal: Terminal,
    readonly flags: CommonFlags,
  ) {
    const { env, stdout, cwd } = terminal;
    const isPlain = flags.color === false || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
    this.output = new Output(terminal, flags.json === true, stdout.isTTY === true && !isPlain);
    this.settings = readSettings(flags, env, cwd);
    const controller = new AbortController();
    this.signal = controller.signal;
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(name, () => {
        if (controller.signal.aborted && name === 'SIGINT') process.exit(2);
        controller.abort(new Problem('Stopped.'));
      });
  }

  /** Whether the program may ask, and somebody can press Ctrl-C. */
  get isInteractive(): boolean {
    return this.flags.input !== false && this.terminal.stdin.isTTY === true && this.output.isLive;
  }

  client({
    attempts,
    signal = this.signal,
    userAgent = `assay-cli/${ASSAY_VERSION}`,
  }: { attempts?: number; signal?: AbortSignal; userAgent?: string } = {}): AssayClient {
    const { url, key, secret, source } = this.settings;
    if (url === undefined) throw new Problem('No address of a service is known.', 'assay login, or set ASSAY_URL');
    if (!/^https?:\/\/[^/?#@]+(?:\/[^?#]*)?$/.test(url))
      throw new Problem(`${source} is not the address of a service.`);
    if (key === undefined || secret === undefined)
      throw new Problem(`No key for ${url} is known.`, 'assay login, or set ASSAY_API_KEY and ASSAY_API_SECRET');
    return createAssay({
      url,
      key,
      secret,
      signal,
      attempts,
      fetch: this.fetch(),
      userAgent,
      onRetry: (error, delayMs) =>
        this.output.progress(`${safeLine(error.message)} Trying again in ${Math.ceil(delayMs / 1_000)} s`),
    });
  }

  fetch(): ReturnType<typeof nodeFetch> {
    const { caFile, proxy } = this.settings;
    let ca: string | undefined;
    try {
      ca = caFile === undefined ? undefined : readFileSync(caFile, 'utf8');
    } catch {
      throw new Problem(`The file of certificates ${caFile} cannot be read.`);
    }
    return nodeFetch({ proxy, ca, environment: this.terminal.env });
  }

  /** The named organization, or the only one of the key. */
  async organization(client: AssayClient): Promise<number> {
    const { organization } = this.settings;
    if (organization !== undefined) {
      if (Number.isInteger(organization)) return organization;
      throw new Problem('The organization must be its id, a whole number.');
    }
    const { organizations } = await dataOf(client.GET('/v1/me'));
    const [first] = organizations;
    if (first !== undefined && organizations.length === 1) return first.id;
    const list = organizations.map(({ id, name }: Schemas['MeOrganization']) => `${id} (${name})`).join(', ');
    throw new Problem(
      `The key has ${organizations.length} organizations.`,
      `Name one with --organization ID${list === '' ? '' : `: ${list}`}`,
    );
  }
}
