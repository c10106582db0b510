/** What one stream does with the state of the work. */
interface Follower<State> {
  show(state: State): void;
  end(): void;
  fail(): void;
}

interface WatchEvents {
  stopped(): void;
  failed(error: unknown): void;
}

export interface Reading<State> {
  readonly state: State;
  readonly isOver: boolean;
  /** Whether it also changes between the entries of the feed, like the progress of a worker. */
  readonly isMoving: boolean;
}

/** The feed of the organization that the work belongs to. */
interface Feed {
  newest(): Promise<number>;
  /** Resolves when there is an entry after this position, or after a while. */
  next(after: number, signal: AbortSignal): Promise<void>;
}

const INTERVAL_MS = 1_000;

/**
 * Reads the state of one piece of work for all that follow it, until it ends or nothing follows it: when the feed has an entry, and
 * every second while a worker makes progress.
 */
export class Watch<State> {
  private readonly followers = new Set<Follower<State>>();
  private shown: { readonly text: string; readonly state: State } | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly read: () => Promise<Reading<State>>,
    private readonly feed: Feed,
    private readonly events: WatchEvents,
  ) {
    this.timer = setTimeout(() => void this.poll());
  }

  /** Returns what ends it. */
  join(follower: Follower<State>): () => void {
    this.followers.add(follower);
    if (this.shown !== undefined) follower.show(this.shown.state);
    return () => {
      this.followers.delete(follower);
      if (this.followers.size === 0) this.stop();
    };
  }

  private async poll(): Promise<void> {
    const began = performance.now();
    try {
      const position = await this.feed.newest();
      const { state, isOver, isMoving } = await this.read();
      this.show(state);
      if (!isOver && !isMoving) await this.feed.next(position, this.stopping.signal);
      if (isOver) this.leave((follower) => follower.end());
    } catch (error) {
      this.events.failed(error);
      this.leave((follower) => follower.fail());
    }
    if (this.timer !== undefined) this.timer = setTimeout(() => void this.poll(), restMs(began));
  }

  private show(state: State): void {
    const text = JSON.stringify(state);
    if (text === this.shown?.text) return;
    this.shown = { text, state };
    for (const follower of this.followers) follower.show(state);
  }

  private leave(how: (follower: Follower<State>) => void): void {
    this.stop();
    for (const follower of this.followers) how(follower);
  }

  private stop(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.stopping.abort();
    this.events.stopped();
  }
}

/** An organization that changes all the time is read once a second. */
const restMs = (began: number): number => Math.max(0, INTERVAL_MS - (performance.now() - began));
