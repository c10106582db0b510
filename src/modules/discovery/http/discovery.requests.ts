import { requireIp } from '../../../kernel/cidr';
import { invalid } from '../../../kernel/domain-error';
import { ListOf, TextListWithRule } from '../../../platform/http/fields';
import { MAX_CIDRS, requireAllowedCidrs } from '../../beacons';
import { MAX_ADDED } from '../discovered-assets.service';
import { DEFAULT_PORTS, type DiscoveryRequest, MAX_PORTS } from '../domain/discovery-plan';

const isPort = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 65_535;

/** The longest notation of a block: IPv6 that ends with IPv4, and a prefix of three digits. */
const MAX_BLOCK_LENGTH = 49;

/** Of a list of addresses, the longest of which is IPv6 that ends with IPv4. */
export const addressBounds = { minItems: 1, maxItems: MAX_ADDED, maxLength: 45 };

export class StartDiscoveryRequest {
  @ListOf(
    {
      check: isPort,
      sentence: 'is a port from 1 to 65535',
      items: { type: 'integer', minimum: 1, maximum: 65_535 },
      unique: true,
    },
    1,
    MAX_PORTS,
    { nullable: true, description: `The ports to try; by default ${DEFAULT_PORTS.join(', ')}.` },
  )
  ports?: number[] | null;

  @TextListWithRule(
    (blocks) => requireAllowedCidrs(blocks),
    { minItems: 1, maxItems: MAX_CIDRS, maxLength: MAX_BLOCK_LENGTH },
    {
      nullable: true,
      description: "Private blocks inside of the beacon's `allowed_cidrs`; by default all of them that are private.",
    },
  )
  cidrs?: string[] | null;
}

export const discoveryRequestOf = ({ ports, cidrs }: StartDiscoveryRequest): DiscoveryRequest => ({
  ports: ports ?? undefined,
  cidrs: cidrs == null ? undefined : requireAllowedCidrs(cidrs),
});

/** The addresses in canonical form. */
export function requireAddresses(texts: readonly string[]): string[] {
  if (texts.length < 1 || texts.length > MAX_ADDED) throw invalid(`addresses must have 1 to ${MAX_ADDED} addresses.`);
  return [...new Set(texts.map((text) => requireIp(text, 'addresses')))];
}

export class AddCandidatesRequest {
  @TextListWithRule(requireAddresses, addressBounds, {
    nullable: true,
    description: `Addresses of candidates; by default the first ${MAX_ADDED} candidates that are no assets yet.`,
  })
  addresses?: string[] | null;

  get canonicalAddresses(): string[] | undefined {
    return this.addresses == null ? undefined : requireAddresses(this.addresses);
  }
}
