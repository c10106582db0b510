interface Attempt<T> {
  readonly value: T;
  /** Infinity while it is not confirmed: it may have been stored nevertheless. */
  confirmedAt: number;
}

/** The values that a field may have, which one caller changes. */
export class CheckedField<T> {
  private readonly attempts: Attempt<T>[];

  constructor(initial: T) {
    this.attempts = [{ value: initial, confirmedAt: performance.now() }];
  }

  get changes(): readonly Attempt<T>[] {
    return this.attempts.slice(1);
  }

  /** Returns what confirms the change. */
  attempt(value: T): () => void {
    const attempt = { value, confirmedAt: Infinity };
    this.attempts.push(attempt);
    return () => (attempt.confirmedAt = performance.now());
  }

  isOlderThan(time: number): boolean {
    return (this.attempts[0]?.confirmedAt ?? Infinity) < time;
  }

  /** What was confirmed last before a time, and everything that was attempted later. */
  possibleSince(time: number): T[] {
    const first = this.attempts.findLastIndex(({ confirmedAt }) => confirmedAt <= time);
    return this.attempts.slice(Math.max(0, first)).map(({ value }) => value);
  }
}
