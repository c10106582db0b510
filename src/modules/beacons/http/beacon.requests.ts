import { Flag, ListOf, Integer, TextWithRule, TextListWithRule } from '../../../platform/http/fields';
import {
  MAX_CIDRS,
  requireAllowedCidrs,
  requireBeaconName,
  requireDnsServer,
  requireInterfaceName,
  requireNetworks,
} from '../domain/beacon-network';
import { requireBeaconToken } from '../domain/beacon-token';
import type { BeaconSettings } from '../domain/beacon-settings';
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS } from '../../../kernel/overlap';
import type { Registration } from '../beacon-registrations.service';
import type { BeaconReport } from '../beacon-reports.service';

const name = { minLength: 1, maxLength: 63, pattern: '^[A-Za-z0-9_-]{1,63}$' };
const interfaceName = { minLength: 1, maxLength: 15, pattern: '^(?!\\.{1,2}$)[A-Za-z0-9_.-]{1,15}$' };
/** The length of the longest notation of an address. */
const ipAddress = { minLength: 2, maxLength: 45 };
const NAME_DESCRIPTION = 'Unique in the organization.';
/** The longest notation of a block: IPv6 that ends with IPv4, and a prefix of three digits. */
const cidrs = { minItems: 1, maxItems: MAX_CIDRS, maxLength: 49 };
const CIDRS_DESCRIPTION =
  'The networks that the beacon connects, in CIDR notation. The whole address space and loopback, link-local, multicast or unspecified addresses are not allowed.';

const OBSERVE_DESCRIPTION = 'Whether the assets behind the beacon are observed.';

export class CreateBeaconRequest {
  @TextWithRule(requireBeaconName, name, { description: NAME_DESCRIPTION })
  name!: string;

  @TextListWithRule(requireAllowedCidrs, cidrs, { description: CIDRS_DESCRIPTION })
  allowed_cidrs!: string[];

  @TextWithRule(requireDnsServer, ipAddress, { nullable: true, description: 'An IP address.' })
  dns_server?: string | null;

  @TextWithRule(requireInterfaceName, interfaceName, { nullable: true })
  interface_name?: string | null;

  @Flag({ nullable: true, description: `${OBSERVE_DESCRIPTION} They are, by default.` })
  observe?: boolean | null;
}

export class ChangeBeaconRequest {
  @TextWithRule(requireBeaconName, name, {
    nullable: true,
    description: `${NAME_DESCRIPTION} Null does not change it.`,
  })
  name?: string | null;

  @TextListWithRule(requireAllowedCidrs, cidrs, {
    nullable: true,
    description: `${CIDRS_DESCRIPTION} Null does not change them.`,
  })
  allowed_cidrs?: string[] | null;

  @TextWithRule(requireDnsServer, ipAddress, { nullable: true, description: 'An IP address. Null removes it.' })
  dns_server?: string | null;

  @Flag({ nullable: true, description: `${OBSERVE_DESCRIPTION} Null does not change it.` })
  observe?: boolean | null;
}

export class ReportBeaconRequest {
  @Integer(1, 2_147_483_647, { nullable: true, description: 'The version of the configuration that the beacon uses.' })
  version?: number | null;

  @ListOf(
    {
      check: (item) => typeof item === 'string' && item.length >= 1 && item.length <= 64,
      sentence: 'is a string of 1 to 64 characters',
      items: { type: 'string', minLength: 1, maxLength: 64 },
    },
    0,
    64,
    { nullable: true, description: "The network interfaces of the beacon's host." },
  )
  interfaces?: string[] | null;
}

export class RotateBeaconTokenRequest {
  @Integer(0, MAX_OVERLAP_HOURS, {
    optional: true,
    description: 'For how many hours the old token stays valid.',
    default: DEFAULT_OVERLAP_HOURS,
  })
  overlap_hours?: number;
}

export class RegisterBeaconRequest {
  @TextWithRule(
    requireBeaconToken,
    { maxLength: 46, pattern: '^ab_[A-Za-z0-9_-]{43}$' },
    {
      description:
        'The token of the beacon from now on: `ab_` and 32 random bytes in base64url, which the agent makes.',
    },
  )
  beacon_token!: string;

  @TextWithRule(requireBeaconName, name, { nullable: true, description: 'The name of the beacon that is meant.' })
  name?: string | null;

  @TextListWithRule(requireNetworks, cidrs, {
    nullable: true,
    description: 'The networks of the agent. The beacon keeps only what they share with its own. Null keeps all.',
  })
  networks?: string[] | null;
}

const convertNullable = <From, To>(value: From | null | undefined, convert: (value: From) => To): To | null =>
  value === null || value === undefined ? null : convert(value);

export const settingsOf = (body: CreateBeaconRequest): BeaconSettings => ({
  name: body.name,
  allowedCidrs: requireAllowedCidrs(body.allowed_cidrs),
  dnsServer: convertNullable(body.dns_server, requireDnsServer),
  interfaceName: body.interface_name ?? null,
  observe: body.observe ?? true,
});

export const changeOf = (body: ChangeBeaconRequest): Partial<BeaconSettings> => ({
  name: body.name ?? undefined,
  allowedCidrs: convertNullable(body.allowed_cidrs, requireAllowedCidrs) ?? undefined,
  dnsServer: body.dns_server === undefined ? undefined : convertNullable(body.dns_server, requireDnsServer),
  observe: body.observe ?? undefined,
});

export const registrationOf = ({ beacon_token, name, networks }: RegisterBeaconRequest): Registration => ({
  beaconToken: beacon_token,
  name: name ?? null,
  networks: convertNullable(networks, requireNetworks),
});

export const reportOf = ({ version, interfaces }: ReportBeaconRequest): BeaconReport => ({
  version: version ?? null,
  interfaces: interfaces ?? [],
});
