import { TestClock } from '../kernel/test-clock';
import { type Interruption, InterruptedError, InterruptionTimer } from './interruption';
import type { HostSeen } from './observation/host-seen';
import { lookOfPage } from './observation/look-of-page';
import type { Coverage, ScanRequest, Sighting } from './scan-request';
import { ScanRun } from './scan-run';
import { SessionEnded } from './signed-in/account';
import { isWeb } from './target';
import { ExchangeFailed } from './transport/exchange';

export interface Scan {
  /**
   * `partial`: some checks could not be completed. `interrupted`: the rest may not be sent at the moment. `incomplete`: the
   * target as a whole could not be tested. `unproved`: the session of the account could not be proved, so the job is an error.
   */
  readonly end: 'complete' | 'partial' | 'incomplete' | 'interrupted' | 'timed_out' | 'aborted' | 'unproved';
  /** Why the scan is not complete; null if it is. */
  readonly reason: string | null;
  readonly started: string;
  readonly finished: string;
  readonly sightings: readonly Sighting[];
  readonly coverage: readonly Coverage[];
  /** What the page of the target shows of its port; null without a page. */
  readonly look: HostSeen | null;
}

const LONGEST_MS = 300_000;

const NOTHING: Pick<Scan, 'end' | 'reason'> = {
  end: 'incomplete',
  reason: 'no check applies to this target',
};

/** `blocked` is included, because a request that is refused alone was answered. */
const TESTED: ReadonlySet<Coverage['outcome']> = new Set(['vulnerable', 'not_vulnerable', 'blocked']);

/** A run is incomplete if its page could not be tested, if no check could be completed, or if none applied. */
function completeness(coverage: readonly Coverage[], isBlocked: boolean): Pick<Scan, 'end' | 'reason'> {
  const open = coverage.filter(({ outcome }) => outcome === 'inconclusive');
  const [first] = open;
  if (first) {
    if (!coverage.some(({ outcome }) => TESTED.has(outcome)))
      return { end: 'incomplete', reason: `nothing could be tested: ${first.reason}` };
    const rest = open.length > 1 ? `, and ${open.length - 1} more` : '';
    return {
      end: isBlocked ? 'incomplete' : 'partial',
      reason: `could not be completed: ${first.check} (${first.reason})${rest}`,
    };
  }
  return coverage.every(({ outcome }) => outcome === 'not_applicable') ? NOTHING : { end: 'complete', reason: null };
}

/** Sends nothing, because the scan has already requested the page. */
async function lookOf({ session, isBlocked }: ScanRun, { target }: ScanRequest): Promise<HostSeen | null> {
  if (!isWeb(target) || isBlocked) return null;
  try {
    return lookOfPage((await session.page(target, 'page')).page);
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error;
    return null;
  }
}

/** The share of time for the last look at the target when the checks run out of time. */
const LAST_SHARE = 0.1;

/** Interruptions later than this are after the end of any scan. */
const LATER: Interruption = { inMs: 2 * LONGEST_MS, reason: 'never' };

/**
 * Runs every applicable check on one origin and path. It requests no other ports and no other pages than those it links to, and
 * always ends.
 */
export async function scan(request: ScanRequest): Promise<Scan> {
  const { limitMs = LONGEST_MS, interruption = LATER } = request;
  const started = new Date().toISOString();
  const caller = request.via.signal;
  const time = request.via.clock ?? new TestClock();
  const clock = new AbortController();
  const late = new AbortController();
  const timers = [
    time.after(limitMs, () => clock.abort()),
    time.after(Math.ceil(limitMs * (1 - LAST_SHARE)), () => late.abort()),
  ];
  const over = new AbortController();
  const interrupted = new InterruptionTimer({ ...interruption, inMs: Math.min(interruption.inMs, LATER.inMs) });
  const signal = AbortSignal.any([caller, clock.signal, over.signal, interrupted.everything]);
  const checksOver = AbortSignal.any([late.signal, interrupted.checks]);
  const run = new ScanRun(request, { ...request.via, signal }, checksOver);
  const result = (end: Pick<Scan, 'end' | 'reason'>, look: HostSeen | null = null): Scan => {
    const { sightings, coverage } = run;
    return { ...end, started, finished: new Date().toISOString(), sightings, coverage, look };
  };
  const { reason } = interruption;
  try {
    await run.runAll();
    const isInterrupted = checksOver.reason instanceof InterruptedError && !run.isBlocked;
    const end = isInterrupted ? ({ end: 'interrupted', reason } as const) : completeness(run.coverage, run.isBlocked);
    return result(end, await lookOf(run, request));
  } catch (error) {
    if (caller.aborted) return result({ end: 'aborted', reason: 'the job was stopped' });
    if (error instanceof SessionEnded) {
      run.giveUp(error.message);
      return result({ end: 'unproved', reason: error.message });
    }
    if (checksOver.reason instanceof InterruptedError) {
      run.giveUp(reason);
      return result({ end: 'interrupted', reason });
    }
    if (!clock.signal.aborted && !checksOver.aborted) throw error;
    return result({ end: 'timed_out', reason: `the job did not finish within ${limitMs / 1_000} seconds` });
  } finally {
    interrupted.stop();
    for (const cancel of timers) cancel();
    // If one check has thrown an error, stop those that are still running.
    over.abort();
  }
}
