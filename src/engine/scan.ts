import { type Coverage, ScanRun, type ScanRequest, type Sighting } from './scan-run';

export interface Scan {
  /** `partial`: some checks could not be completed. `incomplete`: the target as a whole could not be tested. */
  readonly end: 'complete' | 'partial' | 'incomplete' | 'timed_out' | 'aborted';
  /** Why it is not complete; null when it is. */
  readonly reason: string | null;
  readonly started: string;
  readonly finished: string;
  readonly sightings: readonly Sighting[];
  readonly coverage: readonly Coverage[];
}

const LONGEST_MS = 300_000;

const NOTHING: Pick<Scan, 'end' | 'reason'> = {
  end: 'incomplete',
  reason: 'no check applies to this target',
};

/** A run is incomplete if its page could not be tested, if no check could be completed, or if none applied. */
function completeness(coverage: readonly Coverage[], isBlocked: boolean): Pick<Scan, 'end' | 'reason'> {
  const open = coverage.filter(({ outcome }) => outcome === 'inconclusive');
  const [first] = open;
  if (first) {
    if (!coverage.some(({ outcome }) => outcome === 'vulnerable' || outcome === 'not_vulnerable'))
      return { end: 'incomplete', reason: `nothing could be tested: ${first.reason}` };
    const rest = open.length > 1 ? `, and ${open.length - 1} more` : '';
    return {
      end: isBlocked ? 'incomplete' : 'partial',
      reason: `could not be completed: ${first.check} (${first.reason})${rest}`,
    };
  }
  return coverage.every(({ outcome }) => outcome === 'not_applicable') ? NOTHING : { end: 'complete', reason: null };
}

/** What is left for the last look at the target when the checks run out of time. */
const LAST_SHARE = 0.1;

/** Runs every applicable check on one origin and path: no other pages than those it links to, no other ports, and an end in any case. */
export async function scan(request: ScanRequest): Promise<Scan> {
  const { limitMs = LONGEST_MS } = request;
  const started = new Date().toISOString();
  const caller = request.via.signal;
  const clock = AbortSignal.timeout(limitMs);
  const over = new AbortController();
  const signal = AbortSignal.any([caller, clock, over.signal]);
  const checksOver = AbortSignal.timeout(Math.ceil(limitMs * (1 - LAST_SHARE)));
  const run = new ScanRun(request, { ...request.via, signal }, checksOver);
  const result = (end: Pick<Scan, 'end' | 'reason'>): Scan => {
    const { sightings, coverage } = run;
    return { ...end, started, finished: new Date().toISOString(), sightings, coverage };
  };
  try {
    await run.runAll();
    return result(completeness(run.coverage, run.isBlocked));
  } catch (error) {
    if (caller.aborted) return result({ end: 'aborted', reason: 'the job was stopped' });
    if (!clock.aborted && !checksOver.aborted) throw error;
    return result({ end: 'timed_out', reason: `the job did not finish within ${limitMs / 1_000} seconds` });
  } finally {
    // When one check has failed, stop those that still run.
    over.abort();
  }
}
