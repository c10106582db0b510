/** How long servers are waited for, in milliseconds. */
export interface Waits {
  /** Until a server speaks first: where such servers usually are, where others are, elsewhere, and if it was late before. */
  readonly greeting: {
    readonly likely: number;
    readonly unlikely: number;
    readonly unknown: number;
    readonly late: number;
  };
  /** For more, after a part of an answer. */
  readonly quiet: number;
  readonly hello: number;
  readonly tls: number;
  readonly http: number;
  /** For everything that one port is asked. */
  readonly port: number;
}

export const DEFAULT_WAITS: Waits = {
  greeting: { likely: 6_000, unlikely: 700, unknown: 2_000, late: 10_000 },
  quiet: 600,
  hello: 2_000,
  tls: 3_000,
  http: 5_000,
  port: 60_000,
};
