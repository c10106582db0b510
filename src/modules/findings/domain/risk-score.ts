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
 * The probability that none leads there is a product, whose logarithm is a sum: in thousandths, so that stored sums are exact. In the
 * order of SEVERITIES.
 */
export const RISK_WEIGHTS: readonly number[] = SEVERITIES.map((severity) =>
  Math.round(-1000 * Math.log(1 - PROBABILITY[severity])),
);

/** What is not proved counts for that part of the risk that proved findings leave: at most 4.0, which is less than one proved high. */
const SHARE_OF_CLAIMS = 0.4;

/** Sums of weights of the open findings that a check has shown, and of those that it has refuted, which do not count. */
export interface RiskFacts extends Readonly<Partial<Record<Severity, number>>> {
  readonly proved?: number;
  readonly refuted?: number;
}

/** "0.0" to "10.0". */
const SCORES = Array.from({ length: 101 }, (_, tenths) => (tenths / 10).toFixed(1));

/** The risk of an asset, "0.0" to "10.0", from stored totals, so that no read goes through all findings. */
export function riskScore({ proved = 0, refuted = 0, ...open }: RiskFacts): string {
  let claimed = -proved - refuted;
  // Most are 0.
  SEVERITIES.forEach((severity, at) => (claimed += (open[severity] ?? 0) * (RISK_WEIGHTS[at] ?? 0)));
  const risk = 1 - Math.exp(-proved / 1000) * (1 - SHARE_OF_CLAIMS * (1 - Math.exp(-claimed / 1000)));
  return SCORES[Math.round(100 * risk)] ?? '10.0';
}

const COUNTED = ['low', 'medium', 'high', 'critical', 'cosmic'] as const;

/**
 * The same of a row of totals, in ten-thousandths: the order of lists of assets. Of an asset without totals it is 0. The database
 * refuses exponents whose result is too small for a number.
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
