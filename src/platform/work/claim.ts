/** A claimed row of work. Its result counts only while `attempt` is current. */
export interface Claim {
  readonly id: string;
  readonly kind: string;
  readonly reference: string;
  readonly organizationId: number | null;
  /** The integrator of the organization. */
  readonly integratorId: number | null;
  readonly assetId: number | null;
  readonly eventId: number | null;
  /** The fencing token: increases with every claim. */
  readonly attempt: number;
  /** The number of earlier attempts that failed or lost their worker. */
  readonly failures: number;
}

export interface NewWork {
  readonly kind: string;
  /** Identifies the record. There is at most one unfinished row for each kind and reference. */
  readonly reference: string;
  readonly organizationId?: number;
  readonly assetId?: number;
  readonly eventId?: number;
  readonly runAt?: Date;
}
