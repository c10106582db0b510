import type { TraceContext } from '../../kernel/trace-context';

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
  /** The context that was stored with the work. The worker replaces it by that of the span of this attempt. */
  readonly trace?: TraceContext;
  /** Gives the slot to other work while this waits for something that other work has, and then takes one again. */
  readonly whileWaiting?: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** What a claim takes of the slots. */
export interface ActiveWork {
  readonly claim: Claim;
  /** False while it waits for what other work has. It still counts for its organization. */
  readonly hasSlot: boolean;
}

export interface NewWork {
  readonly kind: string;
  /** Identifies the record. There is at most one unfinished row for each kind and reference. */
  readonly reference: string;
  readonly organizationId?: number;
  readonly assetId?: number;
  readonly eventId?: number;
  readonly runAt?: Date;
  /** The trace that it becomes a part of. By default that of the unit of work that adds it. */
  readonly trace?: TraceContext;
}
