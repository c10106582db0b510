import type { ObservedExchange } from '../../../engine';
import { asLine } from '../../../kernel/plain-text';

export const MAX_LIST_BYTES = 2_000_000;

/** Of which a character has at most three bytes. */
const MAX_PLACE_LENGTH = 2_000;

export const LIST_HEADER = 'time\tmethod\tURL\tstatus\tms\n';
export const REST_LEFT_OUT = 'The rest is left out: the list has 2 MB.\n';

/** A line with the longest place, and the last one. */
const LONGEST = 3 * MAX_PLACE_LENGTH + 200;

/** A line for each exchange, with tabs between. What is no request over HTTP has its kind in place of the method. */
export const lineOf = ({
  started,
  kind,
  method,
  place,
  status,
  failure,
  ms,
  waitedMs,
  account,
}: ObservedExchange): string =>
  `${[
    new Date(started).toISOString(),
    method ?? kind,
    asLine(place).slice(0, MAX_PLACE_LENGTH),
    status ?? failure ?? 'answered',
    Math.max(0, Math.round(ms - waitedMs)),
    // The id of the account as which it was sent.
    ...(account === undefined ? [] : [`as account ${account}`]),
  ].join('\t')}\n`;

/** The list of the requests of a job while it grows. What an earlier attempt has listed counts. */
export class RequestList {
  private lines = '';
  private added = 0;
  private bytes: number;
  private requests: number;

  constructor(earlier: { readonly requests: number; readonly bytes: number }) {
    this.bytes = earlier.bytes;
    this.requests = earlier.requests;
    if (this.bytes === 0) this.append(LIST_HEADER);
  }

  /** With those of earlier attempts. */
  get sent(): number {
    return this.requests;
  }

  add(exchange: ObservedExchange): void {
    this.requests += 1;
    this.added += 1;
    if (this.isFull) return;
    this.append(lineOf(exchange));
    if (this.isFull) this.append(REST_LEFT_OUT);
  }

  /** What was added since the last call; null for nothing. */
  take(): { readonly lines: string; readonly requests: number } | null {
    if (this.added === 0) return null;
    const taken = { lines: this.lines, requests: this.added };
    this.lines = '';
    this.added = 0;
    return taken;
  }

  private get isFull(): boolean {
    return this.bytes + LONGEST > MAX_LIST_BYTES;
  }

  private append(text: string): void {
    this.lines += text;
    this.bytes += Buffer.byteLength(text);
  }
}
