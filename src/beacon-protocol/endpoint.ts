/** A TCP port of a target. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}
