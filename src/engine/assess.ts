import { type Check, isWebCheck, type Observation, sound, unclear } from './check';
import { type Baseline, type Control, takeControl, type Visit } from './control';
import { doubtOf } from './doubt';
import type { TargetProbe } from './probe';
import { isWeb, locationOf, type Target } from './target';
import { type Exchange, ExchangeFailed } from './transport/exchange';
import { excerpt } from './transport/redaction';

/** One look of a check at a target, with what it rests on. */
export interface Assessment {
  readonly started: string;
  readonly observation: Observation;
  /** Why the control did not hold, or null when it did. */
  readonly broken: string | null;
  /** What the target was like; null when it did not answer. */
  readonly baseline: Baseline | null;
  readonly exchanges: readonly Exchange[];
}

function observe(
  check: Check,
  target: Target,
  probe: TargetProbe,
  { page }: Control,
): Observation | Promise<Observation> {
  if (!isWebCheck(check)) return check.observe({ target, probe });
  if (page === null || !isWeb(target)) throw new Error(`${check.id} needs a page and was given ${locationOf(target)}`);
  return check.observe({ target, page, probe });
}

/** Sound is what an answer shows, never what the lack of one does. */
async function doubted(
  seen: Observation,
  before: Baseline | null,
  control: Control,
  probe: TargetProbe,
): Promise<Observation> {
  if (seen.state !== 'sound') return seen;
  if (probe.exchanges.length === 0) return unclear('nothing was asked of the target');
  if (control.page === null) return seen;
  const answers = before?.on === 'web' ? before.answers : {};
  for (const asked of probe.asked) {
    const doubt = await doubtOf(asked, answers[asked.key], control.page, probe);
    if (doubt !== null) return unclear(doubt);
  }
  return seen;
}

const withAnswers = (baseline: Baseline, probe: TargetProbe): Baseline =>
  baseline.on === 'web'
    ? { ...baseline, answers: Object.fromEntries(probe.asked.map(({ key, answer }) => [key, answer.status])) }
    : baseline;

const LONGEST_DETAIL = 1_000;

type Look = (control: Control, probe: TargetProbe) => Observation | Promise<Observation>;

async function afterControl(
  check: Check,
  place: Target,
  visit: Visit,
  before: Baseline | null,
  look: Look,
): Promise<Assessment> {
  const started = new Date().toISOString();
  const probe = visit.probe(place);
  const { exchanges } = probe;
  let control: Control | null = null;
  try {
    control = await takeControl(check, place, before, probe, visit);
    const { broken } = control;
    const proves = isWebCheck(check) && check.selfEvident === true;
    const seen = broken === null || proves ? await look(control, probe) : unclear(broken);
    const observation =
      broken !== null && seen.state !== 'weak' ? unclear(broken) : await doubted(seen, before, control, probe);
    const { state, detail } = observation;
    const told: Observation = { state, detail: excerpt(detail, LONGEST_DETAIL) };
    return { started, observation: told, broken, baseline: withAnswers(control.baseline, probe), exchanges };
  } catch (error) {
    if (!(error instanceof ExchangeFailed)) throw error;
    if (!exchanges.includes(error.exchange)) exchanges.push(error.exchange);
    const broken = control === null ? error.message : control.broken;
    return { started, observation: unclear(error.message), broken, baseline: null, exchanges };
  }
}

/**
 * The control, then the look, then the doubts: detection and every probe of a verification are this. Given the baseline
 * of an earlier look, the control compares with it.
 */
export const assess = (
  check: Check,
  place: Target,
  visit: Visit,
  before: Baseline | null = null,
): Promise<Assessment> =>
  afterControl(check, place, visit, before, (control, probe) => observe(check, place, probe, control));

/** The control alone: a target that breaks down after a look may have been breaking down during it. */
export const reassure = (check: Check, place: Target, visit: Visit, before: Baseline): Promise<Assessment> =>
  afterControl(check, place, visit, before, () => sound('the target is still as it was'));
