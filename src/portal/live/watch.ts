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

const INTERVAL_MS = 1_000;

/** Reads the state of one piece of work every second for all that follow it, until it ends or nothing follows it. */
export class Watch<State> {
  private readonly followers = new Set<Follower<State>>();
  private shown: { readonly text: string; readonly state: State } | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly read: () => Promise<{ readonly state: State; readonly isOver: boolean }>,
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
    try {
      const { state, isOver } = await this.read();
      this.show(state);
      if (isOver) this.leave((follower) => follower.end());
    } catch (error) {
      this.events.failed(error);
      this.leave((follower) => follower.fail());
    }
    if (this.timer !== undefined) this.timer = setTimeout(() => void this.poll(), INTERVAL_MS);
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
    this.events.stopped();
  }
}
