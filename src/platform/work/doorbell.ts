/**
 * Tells workers that something may be waiting. Only ever a hint: the row is the truth, a lost ring costs a sweep and
 * nothing else, and a failure to ring is no failure of whoever rang. Every ring is heard by every worker, since one that
 * has no hand free cannot know whether another has.
 */
export abstract class Doorbell {
  /** Returns at once. */
  abstract ring(): void;
  /** Calls back at each ring, and after every reconnection, since rings may have been missed. */
  abstract listen(onRing: () => void): Promise<void>;
  /** Why rings are not heard now, for people, if there is a reason that the database's being away does not cover. */
  get trouble(): string | undefined {
    return undefined;
  }
}
