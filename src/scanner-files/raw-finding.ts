import { isIP, isIPv6 } from 'node:net';
import { hostOf, portOf } from '../kernel/web-url';
import { isOwnScanner } from '../kernel/own-scanners';
import { parseUrl } from '../kernel/parse-url';
import type { Severity } from '../kernel/severity';
import { REDACTED } from '../kernel/redact';
import { cleanLine, cleanText, redactCredentials, shorten } from './clean-text';
import type { FormerRule, ScannedLocation, ScannedRow, ScannerFinding, SeenTarget } from './scanner-finding';

/** The values that a format reads from the file, unchanged. `scannedRowOf` cleans them. */
export interface RawFinding {
  readonly line: number;
  readonly scanner: string;
  readonly ruleId: string | null;
  readonly former?: FormerRule | null;
  readonly title: string | null;
  readonly severity: Severity;
  readonly description?: string | null;
  readonly remediation?: string | null;
  /** An absolute URL, `host:port` or a host. */
  readonly target?: string | null;
  readonly host?: string | null;
  readonly port?: unknown;
  /** The IP address of the host, in addition to its name. */
  readonly address?: string | null;
  readonly source?: string | null;
  readonly asset?: string | null;
  readonly beacon?: string | null;
  /** The first value that names a CWE is used. */
  readonly cwe?: readonly unknown[];
  /** Texts that contain CVE ids. */
  readonly cves?: readonly unknown[];
  /** Texts that contain URLs. */
  readonly references?: readonly unknown[];
  /** The first value that is a CVSS 3 or 4 vector is used. */
  readonly cvssVectors?: readonly unknown[];
  readonly evidence?: string | null;
  readonly parameter?: string | null;
  readonly seenAt?: unknown;
  readonly replay?: { readonly method: string; readonly url: string; readonly match: string } | null;
  readonly seen?: SeenTarget | null;
  readonly template?: string | null;
}

const MAX_SCANNER = 100;
const MAX_RULE_ID = 200;
const MAX_TITLE = 500;
const MAX_TEXT = 8_000;
const MAX_EVIDENCE = 4_000;
const MAX_URL = 2_048;
const MAX_SOURCE = 1_000;
const MAX_PARAMETER = 200;
/** References per finding. */
const MAX_REFERENCES = 20;
const MAX_LIST = 50;
const MAX_CVES = 200;
/** Further CVEs are not counted. */
const MAX_COUNTED_CVES = 10_000;
const MAX_MATCH = 500;
/** Most responses contain a shorter text, so finding it again proves nothing. */
const MIN_MATCH = 4;

export function scannedRowOf(draft: RawFinding): ScannedRow {
  const { line } = draft;
  const ruleId = cleanLine(draft.ruleId, MAX_RULE_ID);
  if (ruleId === null) return refusedRow(line, 'It does not say which rule it is of.');
  return { finding: findingOf(draft, ruleId) };
}

export const refusedRow = (line: number, reason: string): ScannedRow => ({ refused: { line, reason } });

function findingOf(draft: RawFinding, ruleId: string): ScannerFinding {
  const cves = cvesIn(draft.cves ?? []);
  return {
    line: draft.line,
    scanner: scannerOf(draft),
    ruleId,
    former: draft.former ?? null,
    title: cleanLine(draft.title, MAX_TITLE) ?? ruleId,
    description: cleanText(draft.description, MAX_TEXT, redactCredentials),
    remediation: cleanText(draft.remediation, MAX_TEXT),
    severity: draft.severity,
    location: scannedLocationOf(draft),
    address: isIP(draft.address?.trim() ?? '') === 0 ? null : shorten(draft.address?.trim() ?? '', MAX_RULE_ID),
    asset: cleanLine(draft.asset, MAX_URL),
    beacon: cleanLine(draft.beacon, MAX_PARAMETER),
    cwe: firstOf(draft.cwe, cweOf),
    cves: cves.slice(0, MAX_CVES),
    moreCves: Math.max(0, cves.length - MAX_CVES),
    references: urlsIn(draft.references ?? []),
    cvssVector: firstOf(draft.cvssVectors, cvssVectorOf),
    evidence: cleanText(draft.evidence, MAX_EVIDENCE, redactCredentials),
    parameter: cleanLine(draft.parameter, MAX_PARAMETER),
    seenAt: timeOf(draft.seenAt),
    replay: replayOf(draft.replay ?? null),
    seen: draft.seen ?? null,
    template: draft.template ?? null,
  };
}

/** The name of the scanner. Results from our own reports are imported too, but not under the name of our own tests. */
function scannerOf({ scanner }: RawFinding): string {
  const name = cleanLine(scanner, MAX_SCANNER)?.toLowerCase() ?? 'unknown';
  return isOwnScanner(name) ? `${name} (file)` : name;
}

function firstOf<Value>(candidates: readonly unknown[] = [], read: (candidate: unknown) => Value | null): Value | null {
  for (const candidate of candidates) {
    const value = read(candidate);
    if (value !== null) return value;
  }
  return null;
}

function scannedLocationOf({ target, host, port, source }: RawFinding): ScannedLocation {
  const url = webUrlOf(target ?? null);
  const sourceText = cleanLine(source, MAX_SOURCE);
  if (url !== null)
    return {
      url: url.href.length > MAX_URL ? null : shorten(url.href, MAX_URL),
      host: hostOf(url),
      port: portOf(url),
      source: sourceText,
    };
  const address = addressOf(target ?? null) ?? addressOf(host ?? null);
  const ownPort = address === null ? null : (address.port ?? portNumber(port));
  return { url: null, host: address?.host ?? null, port: ownPort, source: sourceText };
}

/** An http or https URL. User information is removed: it is neither stored nor sent. */
export function webUrlOf(text: string | null): URL | null {
  const trimmed = text?.trim() ?? '';
  if (!/^https?:\/\//i.test(trimmed) || trimmed.length > 64 * 1024) return null;
  const url = parseUrl(trimmed);
  if (url === null) return null;
  url.username = '';
  url.password = '';
  return url;
}

/** The host of `host`, `host:port`, `[address]:port`, an address, or a URL of any scheme. */
function addressOf(text: string | null): { readonly host: string; readonly port: number | null } | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '' || trimmed.length > MAX_URL) return null;
  const [authority = ''] = trimmed.replace(/^[a-z][a-z\d+.-]*:\/\//i, '').split(/[/?#]/, 1);
  const named = authority.slice(authority.lastIndexOf('@') + 1);
  const [, host = named, port] = isIPv6(named) ? [] : (/^(.*?)(?::(\d{1,5}))?$/.exec(named) ?? []);
  // A number alone would be parsed as an IP address.
  if (/^\d*$/.test(host)) return null;
  const url = parseUrl(`http://${isIPv6(host) ? `[${host}]` : host}/`);
  if (url === null || !/^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])$/.test(url.hostname)) return null;
  return { host: hostOf(url), port: portNumber(port) };
}

function portNumber(value: unknown): number | null {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value.trim()) ? Number(value) : value;
  return typeof port === 'number' && Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : null;
}

/** Accepts `79`, `"79"`, `CWE-79` and `external/cwe/cwe-079`. Tools write 0 or -1 for no CWE. */
function cweOf(value: unknown): number | null {
  const text =
    typeof value === 'number' ? String(value) : typeof value === 'string' ? value.slice(0, MAX_TEXT).trim() : '';
  const [, digits = null] = /^0*(\d{1,5})$/.exec(text) ?? /\bcwe[-:_ ]?0*(\d{1,5})\b/i.exec(text) ?? [];
  const number = Number(digits ?? 0);
  return number > 0 ? number : null;
}

function uniqueMatches(texts: readonly unknown[], pattern: RegExp, limit = MAX_LIST): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    if (typeof text !== 'string') continue;
    for (const [match] of text.slice(0, 128 * 1024).matchAll(pattern)) {
      found.add(match);
      if (found.size >= limit) return [...found];
    }
  }
  return [...found];
}

const cvesIn = (texts: readonly unknown[]): string[] => [
  ...new Set(
    uniqueMatches(texts, /\bCVE-\d{4}-\d{4,19}\b/gi, MAX_COUNTED_CVES).map((cve) => shorten(cve.toUpperCase(), 28)),
  ),
];

/** Only http and https URLs, because references are shown as links. */
function urlsIn(texts: readonly unknown[]): string[] {
  const urls = uniqueMatches(texts, /\bhttps?:\/\/[^\s<>"'`|\\^{}]{1,2048}/gi)
    .map((text) => webUrlOf(text.replace(/(?<![.,;:!?])[.,;:!?]+$/, '').replace(/^([^()]*)\)+$/, '$1'))?.href ?? '')
    .filter((url) => url !== '' && url.length <= MAX_URL);
  return [...new Set(urls)].slice(0, MAX_REFERENCES).map((url) => shorten(url, MAX_URL));
}

function cvssVectorOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim() : '';
  return /^CVSS:(?:3\.[01]|4\.0)(?:\/[A-Za-z]{1,3}:[A-Za-z]{1,8}){4,40}$/.test(text) ? shorten(text, MAX_TITLE) : null;
}

/** A time with its zone: a local time without a zone could be wrong by up to a day. */
const ZONED_TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d{1,9}))? ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?)?$/i;

/** A number is the seconds since 1970. A date without a time is the start of that day in UTC. */
function timeOf(value: unknown): Date | null {
  const text = typeof value === 'string' ? value.trim() : '';
  const seconds = typeof value === 'number' ? value : /^\d{9,10}$/.test(text) ? Number(text) : null;
  const time = seconds === null ? timeOfText(text) : seconds * 1_000;
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= 1990 && year <= 2200 ? date : null;
}

function timeOfText(text: string): number {
  const [, day, time = null, fraction = '', zone = null] = ZONED_TIME.exec(text) ?? [];
  if (day === undefined) return Number.NaN;
  if (time === null) return Date.parse(`${day}T00:00:00Z`);
  if (zone === null) return Number.NaN;
  const offset = /^[+-]/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(-2)}` : 'Z';
  const milliseconds = `${fraction}000`.slice(0, 3);
  return Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}.${milliseconds}${offset}`);
}

/** Only for requests that change nothing and a text that is specific enough. */
function replayOf(replay: RawFinding['replay']): ScannerFinding['replay'] {
  const url = webUrlOf(replay?.url ?? null);
  const method = replay?.method.toUpperCase() ?? '';
  if (!replay || url === null || (method !== 'GET' && method !== 'HEAD')) return null;
  url.hash = '';
  const [firstLine = ''] = replay.match.trim().split(/[\r\n]/, 1);
  const match = firstLine.trim();
  if (match.length < MIN_MATCH || match.length > MAX_MATCH || url.href.length > MAX_URL) return null;
  if (/\p{Cc}/u.test(match) || redactCredentials(match) !== match || match.includes(REDACTED)) return null;
  return { method, url: shorten(url.href, MAX_URL), match: shorten(match, MAX_MATCH) };
}
