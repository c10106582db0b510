import type { StatedPaths, Target } from '../../engine';
import type { Launchable, LaunchRefusal } from './launch';

/** As active jobs: a withdrawn consent ends the submissions within this time. */
const PERMISSION_MS = 5_000;

/** What a running test may write by the rules of now. */
export class LaunchNow {
  private evaluatedAt = performance.now();
  private newest: Launchable;
  private ended: string | null = null;

  constructor(
    launch: Launchable,
    private readonly evaluate: () => Promise<Launchable | LaunchRefusal>,
  ) {
    this.newest = launch;
  }

  async writeRefusal(place: Target): Promise<string | null> {
    if (performance.now() - this.evaluatedAt >= PERMISSION_MS) await this.renew();
    if (this.ended !== null) return this.ended;
    return this.newest.isInScope(place) ? this.newest.writeRefusal(place) : 'it is out of scope';
  }

  statedPaths(place: Target): StatedPaths {
    return this.newest.statedPaths(place);
  }

  private async renew(): Promise<void> {
    const now = await this.evaluate();
    this.evaluatedAt = performance.now();
    this.ended = now.launchable ? null : now.reason;
    if (now.launchable) this.newest = now;
  }
}
