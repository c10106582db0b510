import { parseUrl } from '../../../kernel/parse-url';
import { formatUrlHost, hostOf } from '../../../kernel/web-url';
import { type ScannerFinding, shorten } from '../../../scanner-files';
import { recognizeAsset } from '../../assets/domain/asset-value';
import { canonicalHost } from '../../assets/domain/domain-name';
import { checkOfResult } from './scanner-checks';
import { fingerprintOfScan, placeOfScan } from '../../findings/domain/scan-identity';
import { severityOfScan } from '../../findings/domain/severity-of-finding';
import type { ScannedDraft } from '../../findings';

/** A result of a file in the form in which it is recorded, before its asset is known. */
export type ScannedResult = Omit<ScannerFinding, 'asset' | 'location' | 'former' | 'seenAt'> &
  Omit<ScannedDraft, 'asset' | 'text'> & {
    /** In canonical form. Null if the file names no host; the import then names the asset. */
    readonly host: string | null;
    /** The asset of a result without a host. */
    readonly assetValue: string | null;
    /** The place as people see it: the location, with the address if the host is a single-label name. */
    readonly shownPlace: string | null;
    /** The same result at the address of its host. Null if the file has no address, or if the host can be an asset itself. */
    readonly atAddress: (() => ScannedResult) | null;
  };

/** Why a result cannot be imported. */
export interface Refusal {
  readonly refusal: string;
  /** Set if only the asset is missing: where the result is, or otherwise what it is. */
  readonly hostless?: string;
}

/** In a query, each character of a name may become three when it is encoded. */
const MAX_PLACE = 4_000;
/** The maximum length of a name in a message. */
const MAX_NAMED = 200;

/** The URL, the host with its port, or the place in the source code. */
const shownLocationOf = ({ location: { url, host, port, source } }: ScannerFinding): string | null =>
  url ?? source ?? (host === null ? null : port === null ? host : `${host}:${port}`);

/** Undefined if the file names an invalid host. */
function hostIn({ location: { url, host } }: ScannerFinding): string | null | undefined {
  const parsed = url === null ? null : parseUrl(url);
  const named = parsed === null || parsed.hostname === '' ? host : hostOf(parsed);
  if (named === null || named.trim() === '') return null;
  return canonicalHost(named.trim()) ?? undefined;
}

/**
 * Converts a result of a file into the form in which it is recorded. `sightedAt` is the time for results without one or with one
 * in the future. `assetValue` is the asset for results without a host.
 */
export function scannedResultOf(
  finding: ScannerFinding,
  { sightedAt, assetValue: assetOfFile }: { readonly sightedAt: Date; readonly assetValue: string | null },
): ScannedResult | Refusal {
  const assetValue = finding.asset === null ? assetOfFile : recognizeAsset(finding.asset)?.value;
  if (assetValue === undefined)
    return {
      refusal: `Its asset ${shorten(JSON.stringify(finding.asset), MAX_NAMED)} is no domain, http or https URL, IP address or CIDR.`,
    };
  const host = hostIn(finding);
  const named = finding.location.host ?? finding.location.url ?? '';
  if (host === undefined)
    return {
      refusal: `The host of ${shorten(JSON.stringify(named), MAX_NAMED)} is neither a valid name nor an address.`,
    };
  if (host === null && assetValue === null)
    return {
      refusal: 'It names no host. Import the file again, and name its asset with the parameter asset.',
      hostless: shownLocationOf(finding) ?? finding.title,
    };
  const terms = { sightedAt, assetValue };
  const result = resultAt(finding, host, terms);
  const { address } = finding;
  const isAtAddress = address !== null && host !== null && recognizeAsset(host) === undefined;
  return isAtAddress ? { ...result, atAddress: () => resultAtAddress(finding, address, terms) } : result;
}

interface ResultTerms {
  readonly sightedAt: Date;
  readonly assetValue: string | null;
}

/** Its place is the address, and the shown place keeps the name. A URL with the name is not tested at the address. */
function resultAtAddress(finding: ScannerFinding, address: string, terms: ResultTerms): ScannedResult {
  const { url } = finding.location;
  const host = canonicalHost(address) ?? address;
  const location = { ...finding.location, url: url === null ? null : withHost(url, host), host };
  const result = resultAt({ ...finding, location }, host, terms);
  const shown = shownLocationOf(finding);
  const check = url === null ? result.check : null;
  const shownPlace = [shown, host].filter((text) => text !== null).join('\n');
  return { ...result, location: shown, shownPlace, check, replay: null };
}

function withHost(url: string, host: string): string {
  const changed = new URL(url);
  changed.hostname = formatUrlHost(host);
  return changed.href;
}

/** The texts have already been cleaned by `scanner-files`. */
function resultAt(finding: ScannerFinding, host: string | null, { sightedAt, assetValue }: ResultTerms): ScannedResult {
  const { asset: _asset, location: stated, former, seenAt, severity, cvssVector, ...said } = finding;
  const { scanner, ruleId, parameter } = said;
  const [cve = null, ...otherCves] = said.cves;
  const place = shorten(placeOfScan({ ...stated, host }, assetValue ?? ''), MAX_PLACE);
  const location = shownLocationOf(finding);
  return {
    host,
    assetValue,
    place,
    location,
    shownPlace: location,
    atAddress: null,
    fingerprint: fingerprintOfScan({ scanner, ruleId, place, parameter }),
    former: former === null ? null : { ...former, fingerprint: fingerprintOfScan({ ...former, place, parameter }) },
    seenAt: seenAt !== null && seenAt <= sightedAt ? seenAt : sightedAt,
    isDated: seenAt !== null,
    check: checkOfResult(finding),
    cve,
    otherCves,
    ...severityOfScan({ severity, cvssVector }),
    // Spread last: V8 makes a far larger object if properties follow a spread.
    ...said,
  };
}

export const isRefusal = (result: ScannedResult | Refusal): result is Refusal => 'refusal' in result;
