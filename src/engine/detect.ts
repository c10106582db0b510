import { assess, type Assessment } from './assess';
import { type Check, placeOf } from './check';
import { ProbeSession } from './probe-session';
import { locationOf, type Target } from './target';
import type { Transport, Via } from './transport/transport';

export interface Detection extends Assessment {
  readonly location: string;
}

/**
 * One look of one check: to learn, when a finding is recorded, what its target is like. Null when there is nothing to
 * test on it.
 */
export async function detect(check: Check, target: Target, transport: Transport, via: Via): Promise<Detection | null> {
  const placement = placeOf(check, target);
  if (!placement.applicable) return null;
  const { place } = placement;
  return { location: locationOf(place), ...(await assess(check, place, new ProbeSession(transport, via))) };
}
