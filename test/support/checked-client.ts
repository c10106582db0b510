import { type Answer, Client, type Credentials } from './client';

export interface Tally {
  readonly count: number;
  readonly slowestMs: number;
}

/** What all clients of a test have seen. */
export class AnswerLog {
  readonly tallies = new Map<string, Tally>();
  /** When requests were answered with 503, or not at all. */
  readonly refusals: { readonly at: number; readonly isBroken: boolean; readonly what: string }[] = [];

  /** When changes were accepted. */
  readonly changes: number[] = [];

  get count(): number {
    return [...this.tallies.values()].reduce((sum, { count }) => sum + count, 0) + this.refusals.length;
  }

  add(what: string, at: number): void {
    if (!what.startsWith('GET ')) this.changes.push(performance.now());
    const { count, slowestMs } = this.tallies.get(what) ?? { count: 0, slowestMs: 0 };
    this.tallies.set(what, { count: count + 1, slowestMs: Math.max(slowestMs, performance.now() - at) });
  }
}

/** Fails at each answer that is an error of the service, unless it is a 503 that says when to try again. */
export class CheckedClient extends Client {
  constructor(
    base: () => string,
    credentials: Credentials,
    private readonly log: AnswerLog,
  ) {
    super(base, credentials);
  }

  override async send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    const at = performance.now();
    const what = `${method} ${path.replaceAll(/(?<=\/)\d+|(?<=events\/)[^/]+/g, '…').replace(/\?.*/, '')}`;
    try {
      const answer = await super.send(method, path, body, headers);
      if (answer.status >= 500) this.refuse(what, at, answer);
      else this.log.add(what, at);
      return answer;
    } catch (error) {
      if ((error as Error).name === 'TypeError') this.log.refusals.push({ at, isBroken: true, what });
      throw error;
    }
  }

  private refuse(what: string, at: number, { status, headers, text }: Answer): void {
    if (status !== 503 || headers.get('retry-after') === null) throw new Error(`${what} answered ${status}: ${text}`);
    this.log.refusals.push({ at, isBroken: false, what });
  }
}
