import { SEVERITIES, type Severity } from '../../../kernel/severity';

/** The assumed probability that one open finding of this severity leads to a compromise of the asset. */
const PROBABILITY: Readonly<Record<Severity, number>> = {
  none: 0,
  info: 0,
  low: 0.05,
  medium: 0.2,
  high: 0.45,
  critical: 0.7,
  cosmic: 0.9,
};

/**
 * The logarithm, in thousandths, of the probability that a finding of each severity leads to no compromise. As integers, stored
 * sums are exact. In the order of SEVERITIES.
 */
export const RISK_WEIGHTS: readonly number[] = SEVERITIES.map((severity) =>
  Math.round(-1000 * Math.log(1 - PROBABILITY[severity])),
);

/** The texts "0.0" to "10.0". */
const SCORES = Array.from({ length: 101 }, (_, tenths) => (tenths / 10).toFixed(1));

/**
 * The risk of an asset, "0.0" to "10.0", from the number of its open findings in each severity. It needs only the counts,
 * so that it is computed from stored totals and no read goes through all findings.
 */
export function riskScore(open: Readonly<Partial<Record<Severity, number>>>): string {
  let probabilityOfNone = 1;
  for (const severity of SEVERITIES) {
    const count = open[severity] ?? 0;
    // Most counts are 0. Calling the power function and `toFixed` for them took 3 % of the time of a page of assets.
    if (count > 0) probabilityOfNone *= (1 - PROBABILITY[severity]) ** count;
  }
  // Some values that end in five hundredths are slightly lower in binary, and still have to be rounded up.
  return SCORES[Math.round(100 * (1 - probabilityOfNone) + 1e-9)] ?? '10.0';
}

/**
 * For sorting assets, the risk from unproved findings counts for this share of what proved findings leave: less than one proved
 * high.
 */
const SHARE_OF_CLAIMS = 0.4;

const COUNTED = ['low', 'medium', 'high', 'critical', 'cosmic'] as const;

/**
 * The value by which lists of assets are sorted, in ten-thousandths, from a row of totals: proved findings count in full, refuted
 * ones not at all. It is 0 for an asset without totals. The lower bound avoids exponents whose result PostgreSQL refuses as too
 * small.
 */
export function riskIn(row: string): string {
  const weights = COUNTED.map(
    (severity) => `${row}.${severity}::bigint * ${RISK_WEIGHTS[SEVERITIES.indexOf(severity)]}`,
  );
  const chance = (exponent: string): string => `exp(greatest((${exponent}) / 1000::float8, -100))`;
  const claimed = chance(`${row}.proved + ${row}.refuted - ${weights.join(' - ')}`);
  const risk = `1 - ${chance(`-${row}.proved`)} * (1 - ${SHARE_OF_CLAIMS} * (1 - ${claimed}))`;
  return `(CASE WHEN ${row}.asset_id IS NULL THEN 0 ELSE round(10000 * (${risk}))::int END)`;
}
