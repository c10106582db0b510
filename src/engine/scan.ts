import type { Severity } from '../kernel/severity';
import { assess, type Assessment } from './assess';
import { type Check, isWebCheck, placeOf } from './check';
import { type Baseline, Visit } from './control';
import { isWeb, locationOf, type Target } from './target';
import { type Exchange, ExchangeFailed, type FailureCode } from './transport/exchange';
import type { Transport, Via } from './transport/transport';
import { type Patience, type Verdict, type Verification, verify } from './verdict';

/** A finding of earlier, which this run shall see again or show gone. */
export interface Standing {
  readonly check: string;
  readonly location: string;
  readonly baseline: Baseline | null;
}

export interface ScanRequest {
  readonly target: Target;
  readonly checks: readonly Check[];
  readonly transport: Transport;
  readonly via: Via;
  readonly standing?: readonly Standing[];
  readonly patience?: Patience;
  readonly limitMs?: number;
}

/** A weakness that was seen. */
export interface Sighting {
  readonly check: string;
  readonly location: string;
  readonly title: string;
  readonly severity: Severity;
  readonly detail: string;
  readonly baseline: Baseline | null;
  readonly exchanges: readonly Exchange[];
}

/** What became of one check: `unclear` is what could not be completed, `not_applicable` what had nothing to test. */
export interface Coverage {
  readonly check: string;
  readonly location: string;
  readonly outcome: 'weak' | 'sound' | 'unclear' | 'not_applicable';
  readonly reason: string;
  /** What the control saw, and why it did not hold if so. */
  readonly control: Baseline | null;
  readonly broken: string | null;
  /** Only for a standing finding that was not seen: `fixed` shows that it is gone, everything else leaves it standing. */
  readonly verdict: Verdict | null;
}

export interface Scan {
  readonly end: 'complete' | 'incomplete' | 'timed_out' | 'aborted';
  /** Why it is not complete; null when it is. */
  readonly reason: string | null;
  readonly started: string;
  readonly finished: string;
  readonly sightings: readonly Sighting[];
  readonly coverage: readonly Coverage[];
}

const LONGEST_MS = 300_000;
const AT_ONCE = 4;

interface Planned {
  readonly check: Check;
  readonly place: Target;
}

/** How an exchange ends when what listens there is no web server. */
const NOT_HTTP: ReadonlySet<FailureCode> = new Set(['protocol', 'closed', 'reset', 'timeout']);

class Run {
  readonly sightings: Sighting[] = [];
  readonly coverage: Coverage[] = [];
  private readonly visit: Visit;

  constructor(
    private readonly request: ScanRequest,
    private readonly via: Via,
  ) {
    this.visit = new Visit(request.transport, via);
  }

  async all(): Promise<void> {
    const planned = this.plan();
    const services = planned.filter(({ check }) => check.on === 'tcp');
    const rest = planned.filter(({ check }) => check.on !== 'tcp');
    const speaksHttp = await this.speaksHttp();
    const known = await this.services(services, speaksHttp);
    const isMoot = ({ check }: Planned): boolean => isWebCheck(check) && speaksHttp === false && known !== null;
    for (const one of rest.filter(isMoot))
      this.skip(one.check, one.place, `what answers there is no web server (${known})`);
    await this.each(
      rest.filter((one) => !isMoot(one)),
      (one) => this.run(one),
    );
  }

  private plan(): Planned[] {
    const { target, checks, via } = this.request;
    return checks.flatMap((check) => {
      const placement = placeOf(check, target);
      const reason = placement.applicable ? null : placement.reason;
      const hidden = check.on === 'dns' && via.route ? 'names behind a beacon have no public zone' : reason;
      if (placement.applicable && hidden === null) return [{ check, place: placement.place }];
      this.skip(check, target, hidden ?? '');
      return [];
    });
  }

  /** Null when nobody can tell: the target is down, or may not be dialled. */
  private async speaksHttp(): Promise<boolean | null> {
    const { target } = this.request;
    if (!isWeb(target)) return false;
    try {
      await this.visit.page(target, 'page');
      return true;
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      return NOT_HTTP.has(error.failure.code) ? false : null;
    }
  }

  /** Looks for services where a web server does not answer, or where they usually are; says which one it recognised. */
  private async services(planned: readonly Planned[], speaksHttp: boolean | null): Promise<string | null> {
    const { port } = this.request.target;
    const usual = planned.filter(({ check }) => check.on === 'tcp' && check.ports.includes(port));
    const wanted = speaksHttp === false ? planned : usual;
    for (const { check, place } of planned.filter((one) => !wanted.includes(one))) {
      this.skip(check, place, 'no such service is expected on this port');
    }
    const seen = new Map<Planned, Assessment>();
    await this.each(wanted, async (one) => {
      seen.set(one, await assess(one.check, one.place, this.visit));
    });
    const recognised = [...seen].find(([, { observation }]) => observation.state !== 'unclear')?.[0].check.id ?? null;
    const isAnother = speaksHttp === true || recognised !== null;
    for (const [one, assessment] of seen) {
      const { state, detail } = assessment.observation;
      if (state === 'unclear' && isAnother) this.skip(one.check, one.place, detail);
      else await this.keep(one, assessment);
    }
    return recognised;
  }

  private async run(planned: Planned): Promise<void> {
    await this.keep(planned, await assess(planned.check, planned.place, this.visit));
  }

  private async keep(planned: Planned, seen: Assessment): Promise<void> {
    const { check, place } = planned;
    const { observation, baseline, broken, exchanges } = seen;
    const { state: outcome, detail } = observation;
    const verification = outcome === 'sound' ? await this.verification(check, place) : null;
    const last = verification?.probes.at(-1);
    // Seen after all: what the closer look saw is what counts.
    if (last?.observation.state === 'weak') return this.keep(planned, last);
    const { id, title, severity } = check;
    const location = locationOf(place);
    if (outcome === 'weak') this.sightings.push({ check: id, location, title, severity, detail, baseline, exchanges });
    const verdict = verification?.verdict ?? null;
    this.coverage.push({ check: id, location, outcome, reason: detail, control: baseline, broken, verdict });
  }

  /** One look that shows nothing is enough to say so, not to say that a finding is gone. */
  private async verification(check: Check, place: Target): Promise<Verification | null> {
    const { standing = [], transport, patience } = this.request;
    const location = locationOf(place);
    const before = standing.find((one) => one.check === check.id && one.location === location)?.baseline;
    return before ? verify(check, place, before, transport, this.via, patience) : null;
  }

  private skip(check: Check, place: Target, reason: string): void {
    const nothing = { control: null, broken: null, verdict: null };
    this.coverage.push({ check: check.id, location: locationOf(place), outcome: 'not_applicable', reason, ...nothing });
  }

  private async each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const queue = [...items];
    const worker = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }
}

const NOTHING: Pick<Scan, 'end' | 'reason'> = {
  end: 'incomplete',
  reason: 'nothing could be tested on this target',
};

/** Incomplete is whatever could not be completed, and also the run that had nothing to complete. */
function completeness(coverage: readonly Coverage[]): Pick<Scan, 'end' | 'reason'> {
  const open = coverage.filter(({ outcome }) => outcome === 'unclear');
  const [first] = open;
  if (first) {
    const rest = open.length > 1 ? `, and ${open.length - 1} more` : '';
    return { end: 'incomplete', reason: `could not be completed: ${first.check} (${first.reason})${rest}` };
  }
  return coverage.every(({ outcome }) => outcome === 'not_applicable') ? NOTHING : { end: 'complete', reason: null };
}

/** Runs every applicable check on one origin and path: no crawling, no other ports, and an end in any case. */
export async function scan(request: ScanRequest): Promise<Scan> {
  const { limitMs = LONGEST_MS } = request;
  const started = new Date().toISOString();
  const caller = request.via.signal;
  const clock = AbortSignal.timeout(limitMs);
  const over = new AbortController();
  const signal = AbortSignal.any([caller, clock, over.signal]);
  const run = new Run(request, { ...request.via, signal });
  const result = (end: Pick<Scan, 'end' | 'reason'>): Scan => {
    const { sightings, coverage } = run;
    return { ...end, started, finished: new Date().toISOString(), sightings, coverage };
  };
  try {
    await run.all();
    return result(completeness(run.coverage));
  } catch (error) {
    if (caller.aborted) return result({ end: 'aborted', reason: 'it was stopped' });
    if (!clock.aborted) throw error;
    return result({ end: 'timed_out', reason: `it was not through after ${limitMs / 1_000} seconds` });
  } finally {
    // Checks that are still at it when one has failed go on for nobody.
    over.abort();
  }
}
