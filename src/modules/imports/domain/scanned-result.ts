import { parseUrl } from '../../../kernel/parse-url';
import { formatUrlHost, hostOf } from '../../../kernel/web-url';
import type { ScannerFinding } from '../../../scanner-files';
import { canonicalHost, recognizeAsset } from '../../assets';
import { checkOfResult } from './scanner-checks';
import { fingerprintOfScan, placeOfScan, type ScannedDraft, severityOfScan, usableReferences } from '../../findings';

/** A result of a file before its asset and its text are known. */
export interface ScannedResult {
  readonly draft: Omit<ScannedDraft, 'asset' | 'text'>;
  /** In canonical form; null if the file names none, and the import names the asset. */
  readonly host: string | null;
  /** The asset of a result without a host. */
  readonly assetValue: string | null;
  /** The name or id of the beacon that the row names. */
  readonly beacon: string | null;
  /** The words of the scanner, for the text of a new finding. */
  readonly finding: ScannerFinding;
  /** Where it was seen, for people: the location, and the address of a host that has only a name of one label. */
  readonly shownPlace: string | null;
  /** At the address of the host. Null if the file has none, or if the host can be an asset itself. */
  readonly atAddress: (() => ScannedResult) | null;
}

/** Why a result cannot be imported. */
export interface Refusal {
  readonly refusal: string;
}

const MAX_TITLE = 500;
const MAX_NAME = 100;
const MAX_RULE = 500;
const MAX_LOCATION = 4_000;
const MAX_EVIDENCE = 16_000;
const MAX_CWE = 99_999;
const CVE = /^CVE-\d{4}-\d{4,19}$/;
const VALID_FROM = Date.UTC(1990);

/** PostgreSQL stores neither U+0000 nor lone surrogates in a text. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();

const cut = (text: string, length: number): string => {
  const clean = storable(text);
  return clean.length <= length ? clean : `${clean.slice(0, length - 1).toWellFormed()}…`;
};

const cutOrNull = (text: string | null, length: number): string | null => (text === null ? null : cut(text, length));

const singleLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

/** As it is shown: the URL, or the host with its port, or the place in the source code. */
const locationOf = ({ location: { url, host, port, source } }: ScannerFinding): string | null =>
  url ?? source ?? (host === null ? null : port === null ? host : `${host}:${port}`);

/** Undefined if what the file names is no host. */
function hostIn({ location: { url, host } }: ScannerFinding): string | null | undefined {
  const parsed = url === null ? null : parseUrl(url);
  const named = parsed === null || parsed.hostname === '' ? host : hostOf(parsed);
  if (named === null || named.trim() === '') return null;
  return canonicalHost(named.trim()) ?? undefined;
}

/**
 * What a result of a file says, in the form in which it is recorded. `sightedAt` is the time of results that state none or
 * one in the future. `assetValue` is the asset of results without a host.
 */
export function scannedResultOf(
  finding: ScannerFinding,
  { sightedAt, assetValue: assetOfFile }: { readonly sightedAt: Date; readonly assetValue: string | null },
): ScannedResult | Refusal {
  const assetValue = finding.asset === null ? assetOfFile : recognizeAsset(finding.asset)?.value;
  if (assetValue === undefined)
    return {
      refusal: `Its asset ${cut(JSON.stringify(finding.asset), 200)} is no domain, http or https URL, IP address or CIDR.`,
    };
  const host = hostIn(finding);
  const named = finding.location.host ?? finding.location.url ?? '';
  if (host === undefined)
    return {
      refusal: `The host of ${cut(JSON.stringify(named), 200)} is neither a valid name nor an address.`,
    };
  if (host === null && assetValue === null)
    return { refusal: 'It names no host. Import the file again, and name its asset with the parameter asset.' };
  const title = cut(singleLine(storable(finding.title)), MAX_TITLE);
  if (title === '') return { refusal: 'It has no title.' };
  const terms = { title, sightedAt, assetValue };
  const { address } = finding;
  const isAtAddress = address !== null && host !== null && recognizeAsset(host) === undefined;
  return {
    ...resultAt(finding, host, terms),
    atAddress: isAtAddress ? () => resultAtAddress(finding, address, terms) : null,
  };
}

interface ResultTerms {
  readonly title: string;
  readonly sightedAt: Date;
  readonly assetValue: string | null;
}

/** Its place is the address, and what people see keeps the name. A URL with the name is not tested at the address. */
function resultAtAddress(finding: ScannerFinding, address: string, terms: ResultTerms): ScannedResult {
  const { url } = finding.location;
  const host = canonicalHost(address) ?? address;
  const location = { ...finding.location, url: url === null ? null : withHost(url, host), host };
  const { draft } = resultAt({ ...finding, location }, host, terms);
  const shown = cutOrNull(locationOf(finding), MAX_LOCATION);
  const check = url === null ? draft.check : null;
  const shownPlace = [shown, host].filter((text) => text !== null).join('\n');
  const { assetValue } = terms;
  const { beacon } = finding;
  return {
    host,
    assetValue,
    beacon,
    finding,
    shownPlace,
    atAddress: null,
    draft: { ...draft, location: shown, check, replay: null },
  };
}

function withHost(url: string, host: string): string {
  const changed = new URL(url);
  changed.hostname = formatUrlHost(host);
  return changed.href;
}

function resultAt(
  finding: ScannerFinding,
  host: string | null,
  { title, sightedAt, assetValue }: ResultTerms,
): Omit<ScannedResult, 'atAddress'> {
  const scanner = cut(singleLine(storable(finding.scanner)), MAX_NAME).toLowerCase() || 'unknown';
  const ruleId = cut(singleLine(storable(finding.ruleId)), MAX_RULE) || title;
  const { former } = finding;
  const [cve = null, ...otherCves] = finding.cves.filter((one) => CVE.test(one));
  const parameter = cutOrNull(finding.parameter, MAX_RULE);
  const place = cut(storable(placeOfScan({ ...finding.location, host }, assetValue ?? '')), MAX_LOCATION);
  const location = cutOrNull(locationOf(finding), MAX_LOCATION);
  return {
    host,
    assetValue,
    beacon: finding.beacon,
    finding,
    shownPlace: location,
    draft: {
      scanner,
      ruleId,
      place,
      parameter,
      fingerprint: fingerprintOfScan({ scanner, ruleId, place, parameter }),
      former: former === null ? null : { ...former, fingerprint: fingerprintOfScan({ ...former, place, parameter }) },
      line: finding.line,
      check: checkOfResult(finding),
      title,
      ...severityOfScan(finding),
      cve,
      otherCves,
      cwe: finding.cwe !== null && finding.cwe >= 1 && finding.cwe <= MAX_CWE ? finding.cwe : null,
      references: usableReferences(finding.references),
      seenAt: seenAtOf(finding.seenAt, sightedAt),
      location,
      evidence: cutOrNull(finding.evidence, MAX_EVIDENCE),
      replay: finding.replay === null ? null : replayOf(finding.replay),
      template: finding.template === null ? null : storable(finding.template),
    },
  };
}

const replayOf = ({ method, url, match }: NonNullable<ScannerFinding['replay']>) => ({
  method: cut(method, MAX_NAME),
  url: cut(url, MAX_LOCATION),
  match: cut(match, MAX_EVIDENCE),
});

function seenAtOf(stated: Date | null, sightedAt: Date): Date {
  const time = stated?.getTime() ?? NaN;
  return time >= VALID_FROM && time <= sightedAt.getTime() ? new Date(time) : sightedAt;
}

export const isRefusal = (result: ScannedResult | Refusal): result is Refusal => 'refusal' in result;
