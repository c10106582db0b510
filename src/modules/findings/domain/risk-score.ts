import { SEVERITIES, type Severity } from '../../../kernel/severity';

/** How likely one standing finding of a severity is to bring the asset down. */
const WEIGHT: Readonly<Record<Severity, number>> = {
  none: 0,
  info: 0,
  low: 0.05,
  medium: 0.2,
  high: 0.45,
  critical: 0.7,
  cosmic: 0.9,
};

/**
 * The risk of an asset, "0.0" to "10.0", from how many of its findings stand (status 1 to 4) in each severity. It
 * needs the counts alone, so that totals can be kept as findings come and go, and no read goes through all findings.
 */
export function riskScore(open: Readonly<Partial<Record<Severity, number>>>): string {
  const safe = SEVERITIES.reduce((left, severity) => left * (1 - WEIGHT[severity]) ** (open[severity] ?? 0), 1);
  // Five hundredths are rounded up; in binary some of them are a hair below.
  return (Math.round(100 * (1 - safe) + 1e-9) / 10).toFixed(1);
}
