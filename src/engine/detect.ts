import { assess, type Assessment } from './assess';
import { type Check, placeOf } from './check';
import { ProbeSession } from './probe-session';
import { proved, redacted } from './signed-in/in-session';
import { locationOf, type Target } from './target';
import type { Transport, Via } from './transport/transport';

export interface Detection extends Assessment {
  readonly location: string;
}

/**
 * Makes one probe of one check when a finding is recorded, to learn the baseline of its target. Null if the check does not apply
 * to the target. In a session, it throws `SessionEnded` if the session cannot be proved.
 */
export async function detect(check: Check, target: Target, transport: Transport, via: Via): Promise<Detection | null> {
  const placement = placeOf(check, target);
  if (!placement.applicable) return null;
  const { place } = placement;
  const work = (one: Via): Promise<Assessment> => assess(check, place, new ProbeSession(transport, one));
  return { location: locationOf(place), ...redacted(via, await proved(via, work)) };
}
