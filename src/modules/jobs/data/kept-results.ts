import type { CheckResult } from '../../../engine';

/** Of one check at one point, as many as are kept with a finding. */
const MAX_EXCHANGES = 4;

/** What a summary of the check does not say. */
const saysMore = ({ coverage: { outcome, verdict }, sighting }: CheckResult): boolean =>
  sighting !== null || verdict !== null || (outcome !== 'not_vulnerable' && outcome !== 'not_applicable');

const bounded = ({ coverage, sighting }: CheckResult): CheckResult => ({
  coverage,
  sighting: sighting && { ...sighting, exchanges: sighting.exchanges.slice(-MAX_EXCHANGES) },
});

/** Those that are kept until the job ends. */
export const keptResults = (results: readonly CheckResult[]): CheckResult[] => results.filter(saysMore).map(bounded);
