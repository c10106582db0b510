import { setTimeout as delay } from 'node:timers/promises';
import { assess, type Assessment, reassure } from './assess';
import { type Check, placeOf } from './check';
import { type Baseline, Visit } from './control';
import type { Target } from './target';
import type { Transport, Via } from './transport/transport';

export interface Verdict {
  readonly result: 'still_vulnerable' | 'fixed' | 'inconclusive';
  readonly reason: string;
}

export interface Verification {
  readonly verdict: Verdict;
  readonly probes: readonly Assessment[];
  /** What the target was like when the weakness was last seen, to keep for the next time; null when it was not. */
  readonly baseline: Baseline | null;
}

export interface Patience {
  /** How many looks must agree before a weakness counts as gone, and over how long they are spread. */
  readonly probes: number;
  readonly spreadMs: number;
}

export const DEFAULT_PATIENCE: Patience = { probes: 3, spreadMs: 4_000 };

const inconclusive = (reason: string): Verdict => ({ result: 'inconclusive', reason });

const fixed = (probes: readonly Assessment[]): Verdict => ({
  result: 'fixed',
  reason: `${probes[0]?.observation.detail ?? ''}; the target is the one that was tested, and ${probes.length} looks agree`,
});

const NO_BASELINE =
  'the weakness does not show, but it was never seen from here, so nothing tells whether this is the target that had it';

/** What one look decides; null when it is only one of several that must agree. */
function decided({ observation }: Assessment): Verdict | null {
  if (observation.state === 'weak') return { result: 'still_vulnerable', reason: observation.detail };
  return observation.state === 'unclear' ? inconclusive(observation.detail) : null;
}

type Step = (visit: Visit) => Promise<Assessment>;

/** The looks, and the control once more where there is one beside the look. */
function stepsOf(check: Check, place: Target, before: Baseline | null, wanted: number): Step[] {
  const look: Step = (visit) => assess(check, place, visit, before);
  // Without a baseline one look says all that can be said.
  if (before === null) return [look];
  const looks = Array<Step>(Math.max(1, wanted)).fill(look);
  return check.on === 'tcp' ? looks : [...looks, (visit) => reassure(check, place, visit, before)];
}

/**
 * Whether a weakness is still there. Fixed only if each of several looks shows a target that is the one that was tested,
 * answers as it did and no longer shows the weakness; one look that shows it, or shows nothing, decides.
 */
export async function verify(
  check: Check,
  target: Target,
  before: Baseline | null,
  transport: Transport,
  via: Via,
  patience: Patience = DEFAULT_PATIENCE,
): Promise<Verification> {
  const placement = placeOf(check, target);
  if (!placement.applicable) return { verdict: inconclusive(placement.reason), probes: [], baseline: null };
  const pause = patience.spreadMs / Math.max(1, patience.probes - 1);
  const probes: Assessment[] = [];
  for (const [turn, step] of stepsOf(check, placement.place, before, patience.probes).entries()) {
    if (turn > 0 && turn < patience.probes) await delay(pause, undefined, { signal: via.signal });
    const last = await step(new Visit(transport, { ...via, turn }));
    probes.push(last);
    const verdict = decided(last);
    if (verdict !== null) {
      return { verdict, probes, baseline: verdict.result === 'still_vulnerable' ? last.baseline : null };
    }
  }
  const verdict = before === null ? inconclusive(NO_BASELINE) : fixed(probes);
  return { verdict, probes, baseline: null };
}
