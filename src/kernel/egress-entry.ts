import { isUselessBlock } from './address-ranges';
import { canonicalIp, Cidr } from './cidr';
import { invalid } from './domain-error';
import { parseUrl } from './parse-url';
import { formatUrlHost } from './web-url';

/** An address, or the addresses of a block, that the operator allows as targets on one port. */
export interface EgressEntry {
  /** Canonical. */
  readonly address: string | Cidr;
  readonly port: number;
  /** The only organization that the entry is for; undefined for every organization. */
  readonly organizationId?: number;
  /** A name for the address, which is then not looked up in the DNS. */
  readonly name?: string;
}

const ENTRY = /^(?:([1-9]\d{0,9})@)?(?:([^=@/]*)=)?(?:\[([^\]]+)\]|([^:[\]]+)):([1-9]\d{0,4})$/;

const EXAMPLES = 'such as 127.0.0.1:8080, 7@10.20.0.0/16:443 or 7@[fd00::/8]:443';

/** Reads an entry as `egressEntryText` writes it: `[organization@][name=]address:port`, or a CIDR in place of the address. */
export function parseEgressEntry(text: string): EgressEntry {
  const [, organization, name, v6, v4, digits = ''] = ENTRY.exec(text.trim()) ?? [];
  const place = v6 ?? v4 ?? '';
  const port = Number(digits);
  const organizationId = organization === undefined ? undefined : Number(organization);
  if (place === '' || port > 65_535 || (organizationId ?? 1) > 2_147_483_647)
    throw invalid(`"${text}" is not an address or CIDR with a port, ${EXAMPLES}.`);
  const address = place.includes('/') ? Cidr.parse(place, `"${place}"`) : canonicalIp(place);
  if (address === null) throw invalid(`"${place}" in "${text}" is not an address or CIDR; write an entry ${EXAMPLES}.`);
  if (name === undefined) return { address, port, organizationId };
  const host = canonicalName(name);
  if (host === null || typeof address !== 'string')
    throw invalid(`"${text}" must name a host and one address, such as 7@staging.internal=10.20.0.5:443.`);
  return { address, port, organizationId, name: host };
}

export function egressEntryText({ address, port, organizationId, name }: EgressEntry): string {
  const bound = organizationId === undefined ? '' : `${organizationId}@`;
  return `${bound}${name === undefined ? '' : `${name}=`}${formatUrlHost(String(address))}:${port}`;
}

/** Whether the entry is for targets of this organization. An entry for one organization does not apply while the organization is unknown. */
export const isEntryFor = (entry: EgressEntry, organizationId: number | undefined): boolean =>
  entry.organizationId === undefined || entry.organizationId === organizationId;

/** Whether the entry is a block that contains only addresses that no block may allow. */
export const isUselessEntry = ({ address }: EgressEntry): boolean =>
  isUselessBlock(typeof address === 'string' ? Cidr.ofAddress(address) : address);

function canonicalName(text: string): string | null {
  if (!/^[\w.-]{1,253}$/.test(text)) return null;
  const host = parseUrl(`http://${text}/`)?.hostname.replace(/\.$/, '') ?? '';
  return host === '' || canonicalIp(host) !== null ? null : host;
}
