import { parseUrl } from '../../../kernel/parse-url';
import type { ScannerFinding } from '../../../scanner-files';
import { type CheckDefinition, parseCheck } from '../../findings/domain/check-definition';
import { DomainError } from '../../../kernel/domain-error';

/** A scanner's rule that looks for the same weakness as a check of this service. */
export interface ScannerRule {
  readonly scanner: 'zap' | 'burp' | 'nessus' | 'nuclei';
  readonly rule: string;
  /** The name of the matcher, for a Nuclei template with several. */
  readonly parameter?: string;
  readonly check: string;
}

const of = (
  scanner: ScannerRule['scanner'],
  rules: readonly (readonly [rule: string, check: string, parameter?: string])[],
): ScannerRule[] =>
  rules.map(([rule, check, parameter]) => ({ scanner, rule, check, ...(parameter !== undefined && { parameter }) }));

/**
 * The rules whose findings are tested. A rule is left out if no check looks for the same weakness, or if the check covers less:
 * it would then refute what it never looked for.
 */
export const SCANNER_RULES: readonly ScannerRule[] = [
  ...of('zap', [
    ['10020-1', 'missing-frame-protection'],
    ['10021', 'missing-nosniff'],
    ['10033', 'directory-listing'],
    ['10035-1', 'missing-hsts'],
    ['10038-1', 'weak-csp'],
    ['10042', 'insecure-form'],
    ['10055-5', 'weak-csp'],
    ['10106', 'no-https-redirect'],
    ['40028', 'exposed-profiler'],
    ['40028-1', 'exposed-profiler'],
    ['40029', 'exposed-profiler'],
    ['40029-1', 'exposed-profiler'],
    ['50007-1', 'graphql-introspection'],
  ]),
  ...of('burp', [
    ['5245344', 'missing-frame-protection'],
    ['6291712', 'directory-listing'],
    ['16777984', 'missing-hsts'],
  ]),
  ...of('nessus', [
    ['10079', 'anonymous-ftp'],
    ['15901', 'expired-certificate'],
    ['35291', 'weak-certificate-signature'],
    ['45411', 'mismatched-certificate'],
    ['51192', 'untrusted-certificate'],
    ['57582', 'untrusted-certificate'],
    ['69551', 'weak-certificate-key'],
    ['81777', 'open-mongodb'],
    ['84502', 'missing-hsts'],
    ['104743', 'weak-tls-protocol'],
    ['121010', 'weak-tls-protocol'],
    ['142960', 'missing-hsts'],
    ['157288', 'weak-tls-protocol'],
  ]),
  ...of('nuclei', [
    ['apache-server-status', 'exposed-server-status'],
    ['aws-credentials', 'exposed-credentials'],
    ['deprecated-tls', 'weak-tls-protocol'],
    ['dir-listing', 'directory-listing'],
    ['docker-compose-config', 'exposed-deployment-file'],
    ['ds-store-file', 'exposed-ds-store'],
    ['elmah-log-file', 'exposed-profiler'],
    ['expired-ssl', 'expired-certificate'],
    ['exposed-redis', 'open-redis'],
    ['ftp-anonymous-login', 'anonymous-ftp'],
    ['git-config', 'exposed-git'],
    ['htpasswd-detection', 'exposed-htpasswd'],
    ['http-missing-security-headers', 'missing-hsts', 'strict-transport-security'],
    ['http-missing-security-headers', 'missing-nosniff', 'x-content-type-options'],
    ['http-missing-security-headers', 'weak-csp', 'content-security-policy'],
    ['insecure-crossdomain', 'permissive-crossdomain-policy'],
    ['laravel-telescope', 'exposed-profiler'],
    ['mismatched-ssl-certificate', 'mismatched-certificate'],
    ['netrc', 'exposed-credentials'],
    ['nginx-status', 'exposed-server-status'],
    ['openapi', 'public-openapi'],
    ['php-ini', 'exposed-deployment-file'],
    ['phpinfo-files', 'exposed-phpinfo'],
    ['pnpm-lock', 'exposed-lock-file'],
    ['self-signed-ssl', 'untrusted-certificate'],
    ['server-private-keys', 'exposed-private-key'],
    ['springboot-env', 'exposed-actuator'],
    ['svn-wc-db', 'exposed-svn'],
    ['untrusted-root-certificate', 'untrusted-certificate'],
    ['web-config', 'exposed-deployment-file'],
    ['yarn-lock', 'exposed-lock-file'],
  ]),
];

/** The paths that checks of whole origins and folders request. They do not test results at other paths. */
export const PATHS_OF_CHECKS: Readonly<Record<string, readonly string[]>> = {
  'exposed-actuator': ['/actuator/env', '/env'],
  'exposed-credentials': ['/.aws/credentials', '/.netrc'],
  'exposed-deployment-file': ['/docker-compose.yml', '/web.config', '/php.ini'],
  'exposed-ds-store': ['/.DS_Store'],
  'exposed-git': ['/.git/config', '/.git/HEAD'],
  'exposed-htpasswd': ['/.htpasswd'],
  'exposed-lock-file': ['/yarn.lock', '/pnpm-lock.yaml'],
  'exposed-phpinfo': ['/phpinfo.php', '/info.php', '/test.php'],
  'exposed-private-key': ['/server.key', '/id_rsa', '/.ssh/id_rsa'],
  'exposed-profiler': ['/telescope/requests', '/elmah.axd', '/trace.axd'],
  'exposed-server-status': ['/server-status', '/nginx_status'],
  'exposed-svn': ['/.svn/wc.db'],
  'graphql-introspection': ['/graphql', '/api/graphql'],
  'permissive-crossdomain-policy': ['/crossdomain.xml'],
  'public-openapi': ['/openapi.json'],
};

/** Checks that need only a host and a port, and the scheme they use. */
const OF_PORT: Readonly<Record<string, 'https' | 'tcp'>> = {
  'anonymous-ftp': 'tcp',
  'expired-certificate': 'https',
  'mismatched-certificate': 'https',
  'open-mongodb': 'tcp',
  'open-redis': 'tcp',
  'untrusted-certificate': 'https',
  'weak-certificate-key': 'https',
  'weak-certificate-signature': 'https',
  'weak-tls-protocol': 'https',
};

/** Checks of a page that port scanners report for the front page. */
const OF_FRONT_PAGE = new Set(['missing-hsts']);

export interface BoundCheck {
  readonly checkId: string;
  readonly checkDefinition: CheckDefinition;
}

/** The check that tests a scanner's result at the place that it names. Null if there is none. */
export function checkOfResult({
  scanner,
  ruleId,
  parameter,
  location,
  address = null,
  seen = null,
}: Pick<ScannerFinding, 'scanner' | 'ruleId' | 'parameter' | 'location'> &
  Partial<Pick<ScannerFinding, 'address' | 'seen'>>): BoundCheck | null {
  const known = SCANNER_RULES.find(
    (one) =>
      one.scanner === scanner.toLowerCase() &&
      one.rule === ruleId.trim().toLowerCase() &&
      (one.parameter === undefined || one.parameter === parameter?.trim().toLowerCase()),
  );
  const place = known && placeOfTest(known.check, location);
  if (known === undefined || place == null) return null;
  try {
    const { checkId, checkDefinition } = parseCheck({ id: known.check, location: place.location });
    // A check that only tests whole origins does not decide about a folder.
    if (isInFolder(place.location) && checkDefinition.location !== place.location) return null;
    return {
      checkId,
      checkDefinition: {
        ...checkDefinition,
        ...(place.path !== undefined && { path: place.path }),
        ...(seen !== null && { seen: { ...seen, address } }),
      },
    };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

interface PlaceOfTest {
  readonly location: string;
  /** The path of the result, if the check requests several. */
  readonly path?: string;
}

/** Returns null for a URL with a query, which the check would not request. */
function placeOfTest(check: string, { url, host, port }: ScannerFinding['location']): PlaceOfTest | null {
  const parsed = url === null ? null : parseUrl(url);
  const named = host !== null && port !== null ? `${bracketed(host)}:${port}` : null;
  const scheme = OF_PORT[check];
  if (scheme !== undefined) {
    if (parsed?.protocol === 'https:' && scheme === 'https') return { location: `https://${parsed.host}/` };
    return parsed !== null || named === null ? null : { location: `${scheme}://${named}/` };
  }
  if (parsed === null) return named !== null && OF_FRONT_PAGE.has(check) ? { location: `https://${named}/` } : null;
  if (parsed.search !== '' || !/^https?:$/.test(parsed.protocol)) return null;
  const paths = PATHS_OF_CHECKS[check];
  if (paths === undefined) return { location: `${parsed.origin}${parsed.pathname}` };
  const path = paths.find((one) => parsed.pathname.endsWith(one));
  const folder = path === undefined ? '' : `${parsed.pathname.slice(0, -path.length)}/`;
  return path === undefined ? null : { location: `${parsed.origin}${folder}`, path: parsed.pathname };
}

const isInFolder = (place: string): boolean => /^https?:\/\/[^/]+\/.+\/$/.test(place);

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);
