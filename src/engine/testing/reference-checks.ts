import type { Check } from '../check';

/**
 * One check for each surface and control. Their truth tables combine every fault with every position. The tables of other checks
 * contain every fault and every position, but not every pair, because they run the same code.
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

/** Whether the truth table of this check contains every combination of fault and position, as those of YAML checks also do. */
export const hasEveryCombination = ({ id }: Check): boolean => REFERENCE_CHECKS.has(id) || id.startsWith('http:');
