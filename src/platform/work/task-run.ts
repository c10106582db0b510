import type { FailedOrganization } from './set-aside.repository';

interface Failure {
  /** False if the database was unavailable. */
  readonly isCounted: boolean;
  /** The organization has no further turn in this run. */
  readonly isLast: boolean;
}

/** After so many in a row the database is unavailable, and not only for one organization. */
const MOST_AWAY = 2;

/** One run of a task: whose turns succeeded, and whose failed. */
export class TaskRun {
  /** The organizations that the next list leaves out. */
  readonly left: Set<number>;
  readonly failures = new Map<number, unknown>();
  /** The failure of what belongs to no organization, or of the database. */
  problem: unknown;
  private readonly answered = new Set<number | null>();
  private readonly succeeded = new Set<number | null>();
  private readonly over = new Set<number | null>();
  private readonly spent = new Map<number | null, number>();
  private awayInARow = 0;

  constructor(
    readonly task: string,
    private readonly known: readonly FailedOrganization[],
    private readonly limitMs: number,
  ) {
    this.left = new Set(known.flatMap(({ organizationId, isLeftOut }) => (isLeftOut ? [organizationId] : [])));
  }

  /** Organizations that failed before, and not in this run. */
  get recovered(): number[] {
    const ids = this.known.map(({ organizationId }) => organizationId);
    return ids.filter((id) => this.succeeded.has(id) && !this.failures.has(id));
  }

  /** Whether it failed by itself: others had an answer. Short failures next to its own successes cost others nothing. */
  isToBlame(organizationId: number): boolean {
    const isWhole = this.over.has(organizationId) || !this.succeeded.has(organizationId);
    return isWhole && [...this.answered].some((id) => id !== organizationId);
  }

  isOver(organizationId: number | null): boolean {
    return this.awayInARow >= MOST_AWAY || this.over.has(organizationId);
  }

  answer(organizationId: number | null): void {
    this.awayInARow = 0;
    this.answered.add(organizationId);
  }

  succeed(organizationId: number | null): void {
    this.succeeded.add(organizationId);
  }

  /** One change for all has succeeded. */
  succeedTogether(): void {
    for (const { organizationId } of this.known) if (!this.left.has(organizationId)) this.succeed(organizationId);
  }

  fail(organizationId: number | null, error: unknown, { isCounted, isLast }: Failure): void {
    this.awayInARow = isCounted ? 0 : this.awayInARow + 1;
    if (isLast) this.end(organizationId);
    if (organizationId !== null) this.left.add(organizationId);
    if (organizationId === null || !isCounted) this.problem ??= error;
    else if (!this.failures.has(organizationId)) this.failures.set(organizationId, error);
  }

  spend(organizationId: number | null, ms: number): void {
    const spent = (this.spent.get(organizationId) ?? 0) + ms;
    this.spent.set(organizationId, spent);
    if (spent >= this.limitMs) this.end(organizationId);
  }

  private end(organizationId: number | null): void {
    this.over.add(organizationId);
    if (organizationId !== null) this.left.add(organizationId);
  }
}
