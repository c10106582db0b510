import type { CheckResult } from '../../../engine';

/** The exchanges that are kept of one check at one point, as many as with a finding. */
const MAX_EXCHANGES = 4;

/** Whether a result has more than the summary of its check. */
const saysMore = ({ coverage: { outcome, verdict }, sighting }: CheckResult): boolean =>
  sighting !== null || verdict !== null || (outcome !== 'not_vulnerable' && outcome !== 'not_applicable');

const bounded = ({ coverage, sighting }: CheckResult): CheckResult => ({
  coverage,
  sighting: sighting && { ...sighting, exchanges: sighting.exchanges.slice(-MAX_EXCHANGES) },
});

/** The results that are kept until the job ends. */
export const keptResults = (results: readonly CheckResult[]): CheckResult[] => results.filter(saysMore).map(bounded);
