import { createHash } from 'node:crypto';
import { parseUrl } from '../../../kernel/parse-url';
import { formatUrlHost, hostOf } from '../../../kernel/web-url';

/** The fields that identify a scanner's finding. Texts such as the title are not part of it, because scanners reword them. */
export interface ScanIdentity {
  readonly scanner: string;
  /** The scanner's own identifier of its rule. */
  readonly ruleId: string;
  /** From `placeOfScan`. */
  readonly place: string;
  readonly parameter: string | null;
}

export interface ScanLocation {
  readonly url: string | null;
  readonly host: string | null;
  readonly port: number | null;
  /** A file and line of source code. */
  readonly source: string | null;
}

const digest = (parts: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const folded = (text: string): string => text.trim().toLowerCase();

/**
 * In hex. JSON separates the parts unambiguously, and its leading bracket keeps it apart from fingerprints of checks and titles.
 */
export const fingerprintOfScan = ({ scanner, ruleId, place, parameter }: ScanIdentity): string =>
  digest(['scan', folded(scanner), folded(ruleId), place, parameter === null ? null : parameter.trim()]);

/** A digest of a scanner and its rule. */
export const sourceOf = (scanner: string, ruleId: string | null): Buffer =>
  Buffer.from(digest([folded(scanner), ruleId === null ? null : folded(ruleId)]), 'hex');

/**
 * The part of a location that stays the same between scans. Of a query it keeps only the names of the parameters, because
 * scanners put their input into the values. It leaves out user information and the fragment.
 */
export function placeOfScan({ url, host, port, source }: ScanLocation, assetValue: string): string {
  const parsed = url === null ? null : parseUrl(url);
  if (parsed !== null && parsed.host !== '') return placeOfUrl(parsed);
  const file = source === null ? '' : ` ${source.trim()}`;
  if (host === null) return `${assetValue}${file}`;
  const name = folded(host).replace(/\.$/, '');
  return `${port === null ? name : `${formatUrlHost(name)}:${port}`}${file}`;
}

function placeOfUrl(url: URL): string {
  const names = [...new Set(url.searchParams.keys())].sort();
  const query = names.length === 0 ? '' : `?${names.map((name) => encodeURIComponent(name)).join('&')}`;
  const port = url.port === '' ? '' : `:${url.port}`;
  return `${url.protocol}//${formatUrlHost(hostOf(url))}${port}${url.pathname}${query}`;
}

/** The parts of the identity as sentences. */
export const identityInWords = ({ scanner, ruleId, place, parameter }: ScanIdentity): string[] => [
  `Scanner: ${scanner}`,
  `Rule: ${ruleId}`,
  `Place: ${place}`,
  parameter === null ? 'No parameter' : `Parameter: ${parameter}`,
];
