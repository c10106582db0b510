/**
 * Notifies workers that work may be waiting. Notifications may be lost: the next sweep finds the rows, and sending never
 * fails. Every worker receives every notification, because a worker without a free slot cannot know whether another has one.
 */
export abstract class WorkNotifier {
  /** Returns at once. */
  abstract notify(): void;
  /** Calls back on each notification and after every reconnection, since notifications may have been missed. */
  abstract listen(onNotification: () => void): Promise<void>;
  /** Why notifications are not delivered, as text for people. Undefined if they are, or if the database is the reason. */
  get degradedReason(): string | undefined {
    return undefined;
  }
}
