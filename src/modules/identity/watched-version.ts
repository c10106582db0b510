/**
 * Whether what was read before is still what the database has: it asks for a version, twice in `maxAgeMs`, and only while somebody
 * wants to know. Without an answer that is young enough nothing is current.
 */
export class WatchedVersion {
  private version: string | undefined;
  /** When the last question with an answer was asked. */
  private asked = -Infinity;
  private question: Promise<void> | undefined;
  private changed = 0;

  constructor(
    private readonly read: () => Promise<string>,
    private readonly onChange: () => void,
    private readonly maxAgeMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** How often it has changed: what was being read meanwhile may be older. */
  get changes(): number {
    return this.changed;
  }

  async isCurrent(): Promise<boolean> {
    if (this.maxAgeMs === 0) return false;
    if (!this.isYounger(this.maxAgeMs / 2)) {
      const question = (this.question ??= this.ask().finally(() => (this.question = undefined)));
      if (!this.isYounger(this.maxAgeMs)) await question;
    }
    return this.isYounger(this.maxAgeMs);
  }

  private isYounger(ageMs: number): boolean {
    return this.now() - this.asked < ageMs;
  }

  private async ask(): Promise<void> {
    const asked = this.now();
    const version = await this.read().catch(() => undefined);
    if (version === undefined) return;
    if (version !== this.version) {
      this.changed++;
      this.onChange();
    }
    this.version = version;
    this.asked = asked;
  }
}
