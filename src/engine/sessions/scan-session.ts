import { sightingAt } from '../access/access-sighting';
import { FORMAT } from '../baseline';
import type { Check } from '../check';
import type { Scan } from '../scan';
import type { Coverage, Sighting } from '../scan-request';
import { CHECK_OF_SESSION, endsSessions, type SessionKind, type SessionRecord } from '../session-record';
import { statedPlace } from '../signed-in/account-origin';
import { locationOf, type WebTarget } from '../target';
import { originOf } from '../transport/http';
import { attemptsIn, exchangesOf, inWords, pathOf, type Tried, tryOut } from './session-series';
import type { TrialContext } from './session-trials';
import type { SessionDecision } from './session-verdict';

export interface SessionScanRequest extends TrialContext {
  readonly target: WebTarget;
  readonly checks: readonly Check[];
  /** Why it may not sign in and out to test that, or null. */
  readonly writeRefusal: () => string | null;
  /** The checks that the job names. They are incomplete where they cannot run; others do not apply. */
  readonly selected?: readonly string[];
}

interface Shown {
  readonly outcome: Coverage['outcome'];
  readonly reason: string;
  readonly record?: SessionRecord;
}

/** From the one that says most. What opened twice is a finding. */
const OUTCOMES = {
  open: 'inconclusive',
  unclear: 'inconclusive',
  blocked: 'blocked',
  refused: 'not_vulnerable',
} as const;
const STATES = ['open', 'unclear', 'blocked', 'refused'] as const;

/** Tests how the application checks the sessions of one account. What may end the session comes last. */
export async function scanSession(request: SessionScanRequest): Promise<Pick<Scan, 'sightings' | 'coverage'>> {
  const { target, checks, session } = request;
  const location = locationOf({ ...target, path: '/', parameter: undefined });
  const sightings: Sighting[] = [];
  const coverage: Coverage[] = [];
  for (const kind of ['token', 'url', 'fixation', 'sign_out'] as const) {
    const check = checks.find(({ id }) => id === CHECK_OF_SESSION[kind]);
    if (check === undefined) continue;
    const { outcome, reason, record } = await shownBy(kind, check, request);
    if (record !== undefined) sightings.push(sightingOf(check, location, record, request));
    coverage.push({ check: check.id, location, outcome, reason, controlFailure: null, verdict: null });
  }
  return session.redacted({ sightings, coverage });
}

async function shownBy(kind: SessionKind, check: Check, request: SessionScanRequest): Promise<Shown> {
  const { target, writeRefusal, session, isAllowed, selected = [] } = request;
  const notApplicable = (reason: string): Shown => ({ outcome: 'not_applicable', reason });
  const untested = (reason: string): Shown =>
    selected.includes(check.id) ? { outcome: 'inconclusive', reason } : notApplicable(reason);
  const place = statedPlace(session.of, session.proof.url);
  if (originOf(place) !== originOf(target) || !isAllowed(place.path))
    return untested('the proof of the account is at another origin, or out of scope');
  const refusal = endsSessions(check) ? writeRefusal() : null;
  if (refusal !== null) return untested(`it signs in and out. ${refusal}`);
  const attempts = await attemptsIn(kind, request);
  if (typeof attempts === 'string') return notApplicable(attempts);
  const decisions: SessionDecision[] = [];
  let missing = 'nothing was to be tested';
  for (const attempt of attempts) {
    const tried: Tried[] = [];
    // What opens once must open again, in an experiment of its own.
    for (let times = 0; times < 2 && tried.every(isOpen); times += 1) {
      const more = await tryOut(kind, request, attempt);
      if (typeof more === 'string') missing = more;
      if (typeof more === 'string') break;
      tried.push(...more);
    }
    const [, last] = tried;
    if (last !== undefined && tried.every(isOpen)) {
      const { carrier, variant } = attempt;
      const path = pathOf(request);
      const { decision: _decision, ...seen } = last;
      const record = { kind, account: { id: session.of.id, name: session.of.name }, carrier, variant, path, ...seen };
      return { outcome: 'vulnerable', reason: `${inWords(record)} opened ${path} twice`, record };
    }
    decisions.push(...tried.map(({ decision }) => decision));
  }
  const [worst] = STATES.flatMap((state) => decisions.filter((one) => one.state === state));
  return worst === undefined ? untested(missing) : { outcome: OUTCOMES[worst.state], reason: worst.because };
}

const isOpen = ({ decision }: Tried): boolean => decision.state === 'open';

function sightingOf(check: Check, location: string, record: SessionRecord, context: SessionScanRequest): Sighting {
  const { account, path, rows } = record;
  const seenAt = rows.find(({ as }) => as === 'suspect')?.at;
  return sightingAt(check, location, {
    detail: `${inWords(record)} opened what only ${account.name} sees when it is signed in (GET ${path}, twice), and what was made up did not`,
    ...(seenAt !== undefined && { seenAt }),
    baseline: { on: 'session', format: FORMAT, session: record },
    exchanges: exchangesOf(context, path, rows),
  });
}
