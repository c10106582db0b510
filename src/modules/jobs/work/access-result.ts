import { type AccessSighting, type Check, locationOf, type WebTarget } from '../../../engine';
import type { LaneCoverage, LaneSighting } from '../domain/lanes';
import type { TestedJob } from './job-test';

/** What a part of a job with accounts has shown. */
export interface Access {
  readonly sightings: readonly LaneSighting[];
  readonly coverage: readonly LaneCoverage[];
  readonly requests: number;
}

export const inItsLane = ({ seenAs, ...sighting }: AccessSighting): LaneSighting =>
  seenAs === null ? sighting : { ...sighting, account: Number(seenAs.id) };

export function withAccess(tested: TestedJob, { sightings, coverage, requests }: Access): TestedJob {
  const scan = {
    ...tested.scan,
    finished: new Date().toISOString(),
    sightings: [...tested.scan.sightings, ...sightings],
    coverage: [...tested.scan.coverage, ...coverage],
  };
  return { ...tested, scan, requests: Math.max(tested.requests, requests) };
}

export const inconclusiveFor = (checks: readonly Check[], target: WebTarget, reason: string): Access => ({
  sightings: [],
  coverage: checks.map(({ id: check }) => ({
    check,
    location: locationOf({ ...target, path: '/', parameter: undefined }),
    outcome: 'inconclusive',
    reason,
    controlFailure: null,
    verdict: null,
  })),
  requests: 0,
});
