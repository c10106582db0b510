import { type Check, type Coverage, locationOf, placeOf, type Target } from '../../../engine';
import type { TestScope } from '../../events';

export interface ChecksInScope {
  readonly checks: readonly Check[];
  /** The other checks, as entries of the coverage of a job. */
  readonly leftOut: readonly Coverage[];
}

/** The checks whose targets are in scope: for a page in scope, a check of the whole origin may have a target out of scope. */
export function checksInScope(checks: readonly Check[], target: Target, scope: TestScope | null): ChecksInScope {
  if (scope === null) return { checks, leftOut: [] };
  const leftOut = checks.flatMap((check) => {
    const placement = placeOf(check, target);
    return !placement.applicable || scope.includes(placement.place) ? [] : [{ check, place: placement.place }];
  });
  const isLeftOut = new Set(leftOut.map(({ check }) => check));
  return {
    checks: checks.filter((check) => !isLeftOut.has(check)),
    leftOut: leftOut.map(({ check, place }) => coverageOf(check, place)),
  };
}

const coverageOf = ({ id }: Check, place: Target): Coverage => ({
  check: id,
  location: locationOf(place),
  outcome: 'not_applicable',
  reason: 'what it addresses is not in the scope of the event',
  controlFailure: null,
  verdict: null,
});
