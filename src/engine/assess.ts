import { type Check, isWebCheck, type Observation, sound, unclear } from './check';
import { type Baseline, type Control, takeControl, type Visit } from './control';
import { curtailmentOf, doubtOf } from './doubt';
import { type Ground, worthOf } from './first-look';
import type { Page } from './page';
import type { TargetProbe } from './probe';
import { isWeb, locationOf, type Target } from './target';
import { parseEndpoint } from './transport/endpoint';
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

/** To show that a weakness is gone, each answer must be beyond doubt, compared with those of the time when it was there. */
async function shownGone(seen: Observation, before: Baseline, page: Page, probe: TargetProbe): Promise<Observation> {
  const { answers = {}, empty = [] } = before.on === 'web' ? before : {};
  const curtailment = curtailmentOf(page);
  if (curtailment !== null) return unclear(curtailment);
  for (const asked of probe.asked) {
    const answerBefore = { status: answers[asked.key], empty: empty.includes(asked.key) };
    const doubt = await doubtOf(asked, answerBefore, page, probe);
    if (doubt !== null) return unclear(doubt);
  }
  return seen;
}

/** For a first look it is enough that a stranger is not shown the weakness, for whatever reason. */
async function notShown(seen: Observation, ground: Ground): Promise<Observation> {
  const notes: string[] = [];
  for (const asked of ground.probe.asked) {
    const worth = await worthOf(asked, ground);
    if (worth.kind === 'doubted') return unclear(worth.doubt);
    if (worth.kind === 'noted') notes.push(worth.note);
  }
  const [note] = notes;
  if (note === undefined) return seen;
  const rest = notes.length > 1 ? `, and ${notes.length - 1} more` : '';
  return sound(`${seen.detail}, as far as a stranger is shown anything (${note}${rest})`);
}

/** Sound is what an answer shows, never what the lack of one does. */
function doubted(
  seen: Observation,
  before: Baseline | null,
  page: Page | null,
  ground: Omit<Ground, 'control'>,
): Observation | Promise<Observation> {
  if (seen.state !== 'sound') return seen;
  if (ground.probe.exchanges.length === 0) return unclear('nothing was asked of the target');
  if (page === null) return seen;
  return before === null ? notShown(seen, { ...ground, control: page }) : shownGone(seen, before, page, ground.probe);
}

/** What is kept for the next time beside the control: who answered, and how. */
function withAnswers(baseline: Baseline, { asked, exchanges }: TargetProbe): Baseline {
  if (baseline.on === 'dns') return baseline;
  const address = exchanges.findLast((exchange) => exchange.address !== null)?.address ?? null;
  const known = { ...baseline, address: address && parseEndpoint(address).address };
  if (known.on === 'tcp') return known;
  const statuses = asked.map(({ key, answer }) => [key, (answer.hops[0] ?? answer).status]);
  const empty = asked.filter(({ answer }) => answer.body.length === 0).map(({ key }) => key);
  return { ...known, answers: Object.fromEntries(statuses), empty };
}

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
      broken !== null && seen.state !== 'weak'
        ? unclear(broken)
        : await doubted(seen, before, control.page, { place, probe, visit });
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
