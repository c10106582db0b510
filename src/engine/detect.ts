import { assess, type Assessment, seenAsBrowser } from './assess';
import { type Check, placeOf } from './check';
import { Visit } from './visit';
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
  const visit = new Visit(transport, via);
  const seen = await assess(check, place, visit);
  return { location: locationOf(place), ...seen, baseline: await seenAsBrowser(check, place, visit, seen) };
}
