/** How much the agent did. Refused are connections to addresses that are not allowed. */
export interface ActivityCounts {
  connections: number;
  failed: number;
  refused: number;
  resolved: number;
  bytes_sent: number;
  bytes_received: number;
}

const noActivity = (): ActivityCounts => ({
  connections: 0,
  failed: 0,
  refused: 0,
  resolved: 0,
  bytes_sent: 0,
  bytes_received: 0,
});

/** What the agent did since the last summary. */
export class Activity {
  private counts = noActivity();

  add(name: keyof ActivityCounts, amount = 1): void {
    this.counts[name] += amount;
  }

  /** The counts, which begin again at zero. */
  take(): Readonly<ActivityCounts> {
    const { counts } = this;
    this.counts = noActivity();
    return counts;
  }
}
