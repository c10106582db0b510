export const PROTOCOLS = ['dns', 'http', 'https'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export interface Call {
  readonly name: string;
  readonly protocol: Protocol;
  readonly source: string;
}

/** What became of a call. `foreign` names were made by nobody here, and never reach the database. */
export const CALL_RESULTS = ['recorded', 'full', 'foreign', 'limited', 'lost'] as const;
export type CallResult = (typeof CALL_RESULTS)[number];

export const CALLS_METRIC = {
  name: 'assay_callbacks_total',
  help: 'What called the listener of callbacks, by protocol and by what became of it',
  labels: { protocol: PROTOCOLS, result: CALL_RESULTS },
} as const;

/** The limit of the database. */
export const MOST_ROWS = 20;
const MOST_WAITING = 1_000;
const MOST_AT_ONCE = 2;
/** Names whose rows are counted, so that a name with all its rows no longer reaches the database. */
const MOST_NAMES = 20_000;

/** Writes calls one after the other, and drops what the database cannot take. */
export class Recorder {
  private readonly waiting: Call[] = [];
  private readonly rows = new Map<string, number>();
  private running = 0;

  constructor(
    private readonly write: (call: Call) => Promise<boolean>,
    private readonly count: (protocol: Protocol, result: CallResult) => void,
  ) {}

  add(call: Call): void {
    const rows = this.rows.get(call.name) ?? 0;
    if (rows >= MOST_ROWS) return this.count(call.protocol, 'full');
    if (this.waiting.length >= MOST_WAITING) return this.count(call.protocol, 'lost');
    this.keep(call.name, rows + 1);
    this.waiting.push(call);
    if (this.running < MOST_AT_ONCE) void this.run();
  }

  private async run(): Promise<void> {
    this.running += 1;
    for (let call = this.waiting.shift(); call !== undefined; call = this.waiting.shift()) {
      try {
        const isRecorded = await this.write(call);
        if (!isRecorded) this.keep(call.name, MOST_ROWS);
        this.count(call.protocol, isRecorded ? 'recorded' : 'full');
      } catch {
        this.count(call.protocol, 'lost');
      }
    }
    this.running -= 1;
  }

  private keep(name: string, rows: number): void {
    this.rows.delete(name);
    this.rows.set(name, rows);
    const oldest = this.rows.size > MOST_NAMES ? this.rows.keys().next().value : undefined;
    if (oldest !== undefined) this.rows.delete(oldest);
  }
}
