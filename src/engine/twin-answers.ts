import type { Page } from './page';

/** A response proves nothing about a much later one. */
const LASTS_MS = 120_000;

export interface Twin {
  readonly path: string;
  /** The path whose twin it is. */
  readonly of: string;
  readonly answer: Page;
}

interface Asked {
  readonly at: number;
  readonly twin: Promise<Twin>;
}

/** The responses to twins. Each is reused by all checks for two minutes. */
export class Twins {
  private readonly asked = new Map<string, Asked>();

  constructor(private readonly now: () => number = Date.now) {}

  /** The response to this twin, or to an earlier one with the same key. */
  async ask(key: string, { path, of }: Omit<Twin, 'answer'>, send: () => Promise<Page>): Promise<Twin> {
    const known = this.asked.get(key);
    if (known !== undefined && this.now() - known.at < LASTS_MS) return known.twin;
    const asked = { at: this.now(), twin: send().then((answer) => ({ path, of, answer })) };
    this.asked.set(key, asked);
    // A failure proves nothing about the next request.
    asked.twin.catch(() => this.asked.get(key) === asked && this.asked.delete(key));
    return asked.twin;
  }
}
