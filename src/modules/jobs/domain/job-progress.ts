import type { Coverage, ScanObserver, Sighting } from '../../../engine';

/** One check of a job that runs. */
export interface CheckProgress {
  readonly check: string;
  readonly state: 'planned' | 'running' | Coverage['outcome'];
  /** Why it has this outcome, where a reader needs that. */
  readonly reason: string | null;
}

/** What a worker shows of a job while it runs. */
export interface JobProgress {
  /** As which it tests now; absent for nobody. */
  readonly account?: string;
  /** What it waits for; absent while it tests. */
  readonly waiting?: string;
  readonly checks: readonly CheckProgress[];
}

const MAX_REASON = 200;

/** A check that tests several places has the outcome of the one that readers need to know most. */
const STATES: readonly CheckProgress['state'][] = [
  'planned',
  'running',
  'not_applicable',
  'not_vulnerable',
  'inconclusive',
  'blocked',
  'vulnerable',
];

/** Follows a scan. */
export class JobProgressLog implements ScanObserver {
  private readonly checks = new Map<string, CheckProgress>();

  private waiting: string | null = null;

  constructor(
    private readonly found: (sighting: Sighting) => void = () => undefined,
    private readonly account: string | null = null,
  ) {}

  get progress(): JobProgress {
    const { account, waiting } = this;
    const checks = [...this.checks.values()];
    return { ...(account !== null && { account }), ...(waiting !== null && { waiting }), checks };
  }

  /** For its turn of an account; null when it goes on. */
  waits(reason: string | null): void {
    this.waiting = reason;
  }

  planned(checks: readonly string[]): void {
    for (const check of checks) this.set(check, 'planned');
  }

  started(check: string): void {
    this.set(check, 'running');
  }

  /** Checks that were never planned do not apply to the target, and are not listed. */
  covered({ check, outcome, reason }: Coverage, sighting: Sighting | null = null): void {
    if (sighting !== null) this.found(sighting);
    if (!this.checks.has(check)) return;
    const needsReason = outcome !== 'not_vulnerable' && outcome !== 'not_applicable';
    this.set(check, outcome, needsReason ? reason.slice(0, MAX_REASON) : null);
  }

  private set(check: string, state: CheckProgress['state'], reason: string | null = null): void {
    const known = this.checks.get(check)?.state ?? 'planned';
    if (STATES.indexOf(state) >= STATES.indexOf(known)) this.checks.set(check, { check, state, reason });
  }
}
