/** One claim of a piece of work: what the row said, and the attempt under which a result counts. */
export interface Claim {
  readonly id: string;
  readonly kind: string;
  readonly reference: string;
  readonly organizationId: number | null;
  /** The organization's. */
  readonly integratorId: number | null;
  readonly assetId: number | null;
  readonly eventId: number | null;
  /** The fence: rises with every claim. */
  readonly attempt: number;
  /** How many attempts before this one have failed, or lost their worker. */
  readonly failures: number;
}

export interface NewWork {
  readonly kind: string;
  /** What it is about, in the words of its kind; of one kind and reference at most one is unfinished. */
  readonly reference: string;
  readonly organizationId?: number;
  readonly assetId?: number;
  readonly eventId?: number;
  readonly runAt?: Date;
}
