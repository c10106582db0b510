import type { Check } from '../check';

/**
 * One check for each surface and control. Their truth tables combine every fault with every position. The tables of the
 * other checks have every fault and every position, but not every pair, because the code behind the pairs is the same.
 */
const REFERENCE_CHECKS: ReadonlySet<string> = new Set([
  'cors-with-credentials',
  'cookie-without-httponly',
  'directory-listing',
  'exposed-git',
  'expired-certificate',
  'missing-hsts',
  'missing-spf',
  'server-version',
]);

/** Whether the truth table of this check has every combination of fault and position; those of YAML checks do too. */
export const hasEveryCombination = ({ id }: Check): boolean => REFERENCE_CHECKS.has(id) || id.startsWith('http:');
