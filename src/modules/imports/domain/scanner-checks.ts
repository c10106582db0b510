import { parseUrl } from '../../../kernel/parse-url';
import type { ScannerFinding } from '../../../scanner-files';
import { type CheckDefinition, parseCheck } from '../../findings';
import { DomainError } from '../../../kernel/domain-error';

/** A rule of a scanner that looks for the same weakness as a check of this service. */
export interface ScannerRule {
  readonly scanner: 'zap' | 'burp' | 'nessus' | 'nuclei';
  readonly rule: string;
  /** The matcher of a Nuclei template with several. */
  readonly parameter?: string;
  readonly check: string;
}

const of = (
  scanner: ScannerRule['scanner'],
  rules: readonly (readonly [rule: string, check: string, parameter?: string])[],
): ScannerRule[] =>
  rules.map(([rule, check, parameter]) => ({ scanner, rule, check, ...(parameter !== undefined && { parameter }) }));

/**
 * The rules whose findings are tested. A rule is missing if no check looks for the same, or if the check looks for less: it
 * would then refute what it has never looked for.
 */
export const SCANNER_RULES: readonly ScannerRule[] = [
  ...of('zap', [
    ['10020-1', 'missing-frame-protection'],
    ['10021', 'missing-nosniff'],
    ['10035-1', 'missing-hsts'],
    ['10038-1', 'weak-csp'],
  ]),
  ...of('burp', [
    ['5245344', 'missing-frame-protection'],
    ['6291712', 'directory-listing'],
    ['16777984', 'missing-hsts'],
  ]),
  ...of('nessus', [
    ['15901', 'expired-certificate'],
    ['45411', 'mismatched-certificate'],
    ['51192', 'untrusted-certificate'],
    ['57582', 'untrusted-certificate'],
    ['69551', 'weak-certificate-key'],
    ['104743', 'weak-tls-protocol'],
    ['157288', 'weak-tls-protocol'],
  ]),
  ...of('nuclei', [
    ['deprecated-tls', 'weak-tls-protocol'],
    ['expired-ssl', 'expired-certificate'],
    ['git-config', 'exposed-git'],
    ['http-missing-security-headers', 'missing-hsts', 'strict-transport-security'],
    ['http-missing-security-headers', 'missing-nosniff', 'x-content-type-options'],
    ['mismatched-ssl-certificate', 'mismatched-certificate'],
    ['self-signed-ssl', 'untrusted-certificate'],
    ['untrusted-root-certificate', 'untrusted-certificate'],
  ]),
];

/** Paths that checks of whole origins request. A result elsewhere is not about them. */
const PATHS: Readonly<Record<string, readonly string[]>> = { 'exposed-git': ['/.git/config', '/.git/HEAD'] };

/** Checks that need nothing but the host and the port. */
const OF_TLS = new Set([
  'expired-certificate',
  'mismatched-certificate',
  'untrusted-certificate',
  'weak-certificate-key',
  'weak-tls-protocol',
]);

export interface BoundCheck {
  readonly checkId: string;
  readonly checkDefinition: CheckDefinition;
}

/** The check that tests what a scanner reports, at the place that it names. Null if there is none. */
export function checkOfResult({
  scanner,
  ruleId,
  parameter,
  location,
}: Pick<ScannerFinding, 'scanner' | 'ruleId' | 'parameter' | 'location'>): BoundCheck | null {
  const known = SCANNER_RULES.find(
    (one) =>
      one.scanner === scanner.toLowerCase() &&
      one.rule === ruleId.trim().toLowerCase() &&
      (one.parameter === undefined || one.parameter === parameter?.trim().toLowerCase()),
  );
  const place = known && placeOfTest(known.check, location);
  if (known === undefined || place == null) return null;
  try {
    const { checkId, checkDefinition } = parseCheck({ id: known.check, location: place });
    return { checkId, checkDefinition };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** A query is not tested, so a result about one is not either. */
function placeOfTest(check: string, { url, host, port }: ScannerFinding['location']): string | null {
  const parsed = url === null ? null : parseUrl(url);
  if (OF_TLS.has(check)) {
    if (parsed?.protocol === 'https:') return `https://${parsed.host}/`;
    const named =
      parsed === null ? (url ?? (host !== null && port !== null ? `${bracketed(host)}:${port}` : null)) : null;
    return named === null ? null : `https://${named}/`;
  }
  if (parsed === null || parsed.search !== '' || !/^https?:$/.test(parsed.protocol)) return null;
  const paths = PATHS[check];
  if (paths === undefined) return `${parsed.origin}${parsed.pathname}`;
  return paths.includes(parsed.pathname) ? `${parsed.origin}/` : null;
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
