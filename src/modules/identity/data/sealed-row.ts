/** A row with a secret that SECRET_KEY encrypts. */
export interface SealedRow {
  readonly id: number;
  readonly sealed: Buffer;
}
