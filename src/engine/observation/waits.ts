/** How long to wait for servers, in milliseconds. */
export interface Waits {
  /** For a server to speak first: where such servers are usual, where others are usual, elsewhere, and if it was late before. */
  readonly greeting: {
    readonly likely: number;
    readonly unlikely: number;
    readonly unknown: number;
    readonly late: number;
  };
  /** For more data after a part of an answer. */
  readonly quiet: number;
  readonly hello: number;
  readonly tls: number;
  readonly http: number;
  /** For all requests to one port. */
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
