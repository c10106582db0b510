import { SEVERITIES, type Severity } from '../../../kernel/severity';

/** The assumed probability that one open finding of this severity leads to a compromise of the asset. */
const WEIGHT: Readonly<Record<Severity, number>> = {
  none: 0,
  info: 0,
  low: 0.05,
  medium: 0.2,
  high: 0.45,
  critical: 0.7,
  cosmic: 0.9,
};

/** "0.0" to "10.0". */
const SCORES = Array.from({ length: 101 }, (_, tenths) => (tenths / 10).toFixed(1));

/**
 * The risk of an asset, "0.0" to "10.0", from the number of its open findings in each severity. It needs only the counts,
 * so that it is computed from stored totals and no read goes through all findings.
 */
export function riskScore(open: Readonly<Partial<Record<Severity, number>>>): string {
  let probabilityOfNone = 1;
  for (const severity of SEVERITIES) {
    const count = open[severity] ?? 0;
    // Most are 0. Powers and `toFixed` took 3 % of the time of a page of assets.
    if (count > 0) probabilityOfNone *= (1 - WEIGHT[severity]) ** count;
  }
  // Some values that end in five hundredths are slightly lower in binary. They must be rounded up, too.
  return SCORES[Math.round(100 * (1 - probabilityOfNone) + 1e-9)] ?? '10.0';
}

/** For sorting assets by their risk in SQL: the logarithm of each factor of the product above. The lowest sum is the riskiest. */
export const logarithmicWeights = {
  cosmic: Math.log(1 - WEIGHT.cosmic),
  critical: Math.log(1 - WEIGHT.critical),
  high: Math.log(1 - WEIGHT.high),
  medium: Math.log(1 - WEIGHT.medium),
  low: Math.log(1 - WEIGHT.low),
} as const;
