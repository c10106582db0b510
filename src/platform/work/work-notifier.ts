/**
 * Tells workers that work may be waiting. A notification is a hint: the row is the truth, a lost notification is made up
 * for by the next sweep, and a failure to send one is no failure of the sender. Every worker receives every notification,
 * because a worker without a free slot cannot know whether another has one.
 */
export abstract class WorkNotifier {
  /** Returns at once. */
  abstract notify(): void;
  /** Calls back on each notification and after every reconnection, since notifications may have been missed. */
  abstract listen(onNotification: () => void): Promise<void>;
  /** Why notifications are not delivered now, for people; undefined while they are, or while the database is the reason. */
  get degradedReason(): string | undefined {
    return undefined;
  }
}
