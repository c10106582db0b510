/** A request as plain JSON. */
export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** Replaces the path in the key, if requests of the same path differ in other parts. */
  readonly name?: string;
}
