/** A request as plain JSON. */
export interface SentRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
  /** Stands for the path in the key, where requests of one path differ in what else they send. */
  readonly name?: string;
}
