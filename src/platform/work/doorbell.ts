/**
 * Tells workers that something may be waiting. Only ever a hint: the row is the truth, a lost ring costs a sweep and
 * nothing else, and a failure to ring is no failure of whoever rang.
 */
export abstract class Doorbell {
  /** Returns at once. */
  abstract ring(): void;
  /** Calls back at each ring, and after every reconnection, since rings may have been missed. */
  abstract listen(onRing: () => void): Promise<void>;
}
