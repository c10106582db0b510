import { Cidr, requireIp } from '../../../kernel/cidr';
import { DomainError, invalid, unprocessable } from '../../../kernel/domain-error';
import { formatUrlHost, requireWebUrl } from '../../../kernel/web-url';
import { canonicalHost, registrableDomain, requireDomainName } from './domain-name';

export const ASSET_TYPES = ['domain', 'url', 'ip', 'cidr'] as const;

export type AssetType = (typeof ASSET_TYPES)[number];

/** The importance of an asset; 1 is the highest. */
export const ASSET_TIERS = [1, 2, 3] as const;

const MAX_URL_LENGTH = 2048;

/** The prefix length of the largest block of each IP version. */
const MIN_PREFIX = { 4: 16, 6: 48 } as const;

export interface CanonicalAsset {
  readonly type: AssetType;
  readonly value: string;
  /** Whether the value is a registrable domain. */
  readonly tld: boolean;
}

const CANONICAL: Readonly<Record<AssetType, (raw: string, field: string) => string>> = {
  domain: requireDomainName,
  url: canonicalUrl,
  ip: requireIp,
  cidr: (raw, field) => Cidr.parse(raw, field).toString(),
};

/** The canonical form of a value, so that different spellings are the same asset. */
export function canonicalAsset(type: string, raw: string): CanonicalAsset {
  const known = ASSET_TYPES.find((name) => name === type);
  if (!known) throw invalid(`asset_type must be one of ${ASSET_TYPES.join(', ')}.`);
  const value = CANONICAL[known](raw, 'asset_value');
  return { type: known, value, tld: known === 'domain' && registrableDomain(value) === value };
}

/** Refuses a block that is too large for one asset. Called after the checks of the form, with a valid block. */
export function requireAllowedSize({ type, value }: CanonicalAsset): void {
  if (type !== 'cidr') return;
  const { prefix, version } = Cidr.parse(value, 'asset_value');
  const minPrefix = MIN_PREFIX[version];
  if (prefix < minPrefix)
    throw unprocessable(`asset_value is a block that is too large: the largest is /${minPrefix}.`);
}

/** The canonical form of a value of unknown type, or undefined if no type fits. */
export function recognizeAsset(raw: string): CanonicalAsset | undefined {
  for (const type of ASSET_TYPES) {
    try {
      return canonicalAsset(type, raw);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return undefined;
}

/** Validates the host as it was sent, because `new URL()` turns `0x7f.1` into an address. */
function canonicalUrl(raw: string, field: string): string {
  const url = requireWebUrl(raw, field);
  const [, host = ''] = /^\w+:\/\/(\[[^\]]*\]|[^:/?#]*)/.exec(raw) ?? [];
  const name = canonicalHost(host.replace(/^\[(.*)\]$/, '$1'));
  if (name === null) throw invalid(`${field} has a host that is not valid.`);
  url.hostname = formatUrlHost(name);
  url.hash = '';
  if (url.href.length > MAX_URL_LENGTH) throw invalid(`${field} is longer than ${MAX_URL_LENGTH} characters.`);
  return url.href;
}
