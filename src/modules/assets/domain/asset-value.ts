import { canonicalIp, Cidr, requireIp } from '../../../kernel/cidr';
import { DomainError, invalid, unprocessable } from '../../../kernel/domain-error';
import { formatUrlHost, requireWebUrl } from '../../../kernel/web-url';
import { canonicalHostName, registrableDomain, requireDomainName } from './domain-name';

export const ASSET_TYPES = ['domain', 'url', 'ip', 'cidr'] as const;

export type AssetType = (typeof ASSET_TYPES)[number];

/** How much depends on an asset: 1 most. */
export const ASSET_TIERS = [1, 2, 3] as const;

const MAX_URL_LENGTH = 2048;

/** The widest block of each version that one asset may be. */
const WIDEST = { 4: 16, 6: 48 } as const;

export interface CanonicalAsset {
  readonly type: AssetType;
  readonly value: string;
  /** The value is itself a domain that somebody registered. */
  readonly tld: boolean;
}

const CANONICAL: Readonly<Record<AssetType, (raw: string, field: string) => string>> = {
  domain: requireDomainName,
  url: canonicalUrl,
  ip: requireIp,
  cidr: (raw, field) => Cidr.parse(raw, field).toString(),
};

/** The one form of an asset's value: the same thing, however it is spelled, is the same asset. */
export function canonicalAsset(type: string, raw: string): CanonicalAsset {
  const known = ASSET_TYPES.find((name) => name === type);
  if (!known) throw invalid(`asset_type must be one of ${ASSET_TYPES.join(', ')}.`);
  const value = CANONICAL[known](raw, 'asset_value');
  return { type: known, value, tld: known === 'domain' && registrableDomain(value) === value };
}

/** Refuses a block that is more than one asset may be. It is well formed: this comes after all that is a matter of form. */
export function requireAllowedSize({ type, value }: CanonicalAsset): void {
  if (type !== 'cidr') return;
  const { prefix, version } = Cidr.parse(value, 'asset_value');
  const widest = WIDEST[version];
  if (prefix < widest) throw unprocessable(`asset_value is too large a block: /${widest} is the largest.`);
}

/** The one form of a value of which nobody says what it is; undefined when no asset can be that. */
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

/** Of the host the spelling counts that was sent: `new URL()` reads `0x7f.1` as an address. */
function canonicalUrl(raw: string, field: string): string {
  const url = requireWebUrl(raw, field);
  const [, host = ''] = /^\w+:\/\/(\[[^\]]*\]|[^:/?#]*)/.exec(raw) ?? [];
  const name = canonicalIp(host.replace(/^\[(.*)\]$/, '$1')) ?? canonicalHostName(host);
  if (name === null) throw invalid(`${field} has a host that is not valid.`);
  url.hostname = formatUrlHost(name);
  url.hash = '';
  if (url.href.length > MAX_URL_LENGTH) throw invalid(`${field} is longer than ${MAX_URL_LENGTH} characters.`);
  return url.href;
}
