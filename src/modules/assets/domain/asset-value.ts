import { isIP } from 'node:net';
import { canonicalIp, Cidr, requireIp } from '../../../kernel/cidr';
import { invalid, unprocessable } from '../../../kernel/domain-error';
import { canonicalHostName, registrableDomain, requireDomainName } from './domain-name';

export const ASSET_TYPES = ['domain', 'url', 'ip', 'cidr'] as const;

export type AssetType = (typeof ASSET_TYPES)[number];

export const assetTypeVocabulary = ASSET_TYPES.map((name) => ({ name }));

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
  cidr: canonicalBlock,
};

/** The one form of an asset's value: the same thing, however it is spelled, is the same asset. */
export function canonicalAsset(type: string, raw: string): CanonicalAsset {
  const known = ASSET_TYPES.find((name) => name === type);
  if (!known) throw invalid(`asset_type must be one of ${ASSET_TYPES.join(', ')}.`);
  const value = CANONICAL[known](raw, 'asset_value');
  return { type: known, value, tld: known === 'domain' && registrableDomain(value) === value };
}

function canonicalBlock(raw: string, field: string): string {
  const block = Cidr.parse(raw, field);
  const widest = WIDEST[block.version];
  if (block.prefix < widest) throw unprocessable(`${field} is too large a block: /${widest} is the largest.`);
  return block.toString();
}

/** `new URL()` drops line feeds, mends slashes and reads `0x7f.1`: what is not plainly a URL is refused before. */
function canonicalUrl(raw: string, field: string): string {
  const refuse = (why: string) =>
    invalid(`${field} must be an http or https URL, such as https://example.com/: ${why}.`);
  if (/[\s\p{Cc}\\]/u.test(raw)) throw refuse('it has a space, a backslash or a control character');
  const [, authority = ''] = /^https?:\/\/([^/?#]+)/i.exec(raw) ?? [];
  if (authority.includes('@')) throw refuse('it has user information');
  const [, host = ''] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(authority) ?? [];
  const name = canonicalIp(host.replace(/^\[(.*)\]$/, '$1')) ?? canonicalHostName(host);
  if (name === null || !URL.canParse(raw)) throw refuse('its host or port is not valid');
  const url = new URL(raw);
  url.hostname = isIP(name) === 6 ? `[${name}]` : name;
  url.hash = '';
  if (url.href.length > MAX_URL_LENGTH) throw refuse(`it is longer than ${MAX_URL_LENGTH} characters`);
  return url.href;
}
