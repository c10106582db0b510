import { presented, ResponseField } from '../../../platform/api/response-field';
import type { AssetChangeRow } from '../data/asset-change.entity';
import type { HostWithPorts } from '../data/observed-hosts.repository';
import type { ObservedPortRow } from '../data/observed-port.entity';
import { CHANGE_KINDS } from '../domain/asset-change';

export class ObservedTechnologyResponse {
  @ResponseField.string()
  name!: string;

  @ResponseField.string()
  vendor!: string;

  @ResponseField.string({ description: 'Empty where the target did not state it.' })
  version!: string;

  @ResponseField.string()
  os!: string;

  @ResponseField.string()
  cpe!: string;

  @ResponseField.string({ description: 'Which response showed it.' })
  source!: string;
}

export class ObservedCertificateResponse {
  @ResponseField.string()
  subject!: string;

  @ResponseField.string()
  issuer!: string;

  @ResponseField.string()
  names!: string;

  @ResponseField.string()
  sha256!: string;

  @ResponseField.string()
  key_type!: string;

  @ResponseField.integer({ nullable: true })
  key_bits!: number | null;

  @ResponseField.string()
  valid_from!: string;

  @ResponseField.string()
  valid_until!: string;
}

export class ObservedPortResponse {
  @ResponseField.integer()
  port!: number;

  @ResponseField.string({ enum: ['open', 'closed'], description: '`closed`: it was open before.' })
  state!: string;

  @ResponseField.string({
    nullable: true,
    description:
      'The IANA name of the service, by what it says. Null if an open port answers nothing useful, or was not asked.',
  })
  service!: string | null;

  @ResponseField.string({ nullable: true, enum: ['tls', 'starttls'] })
  security!: string | null;

  @ResponseField.one(ObservedCertificateResponse, { nullable: true })
  certificate!: ObservedCertificateResponse | null;

  @ResponseField.list(ObservedTechnologyResponse)
  technologies!: ObservedTechnologyResponse[];

  @ResponseField.instant()
  first_seen!: string;

  @ResponseField.instant()
  last_seen!: string;
}

export class ObservedHostResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  address!: string;

  @ResponseField.boolean({ description: 'Whether it did not answer in the last two observations.' })
  gone!: boolean;

  @ResponseField.instant()
  first_seen!: string;

  @ResponseField.instant()
  last_seen!: string;

  @ResponseField.list(ObservedPortResponse, { description: 'The ports that were open, by number.' })
  ports!: ObservedPortResponse[];
}

export class ObservedHostListResponse {
  @ResponseField.list(ObservedHostResponse)
  hosts!: ObservedHostResponse[];
}

export class AssetChangeResponse {
  @ResponseField.string()
  id!: string;

  @ResponseField.integer()
  asset_id!: number;

  @ResponseField.instant()
  seen!: string;

  @ResponseField.string({ enum: CHANGE_KINDS })
  kind!: string;

  @ResponseField.string({ nullable: true, description: 'The address of the host.' })
  address!: string | null;

  @ResponseField.integer({ nullable: true })
  port!: number | null;

  @ResponseField.object({ nullable: true, description: 'What was known before.' })
  before!: Record<string, unknown> | null;

  @ResponseField.object({ nullable: true, description: 'What the observation showed.' })
  after!: Record<string, unknown> | null;
}

export class AssetChangeListResponse {
  @ResponseField.list(AssetChangeResponse)
  changes!: AssetChangeResponse[];
}

const presentPort = (port: ObservedPortRow): ObservedPortResponse => ({
  port: port.port,
  state: port.state,
  service: port.service,
  security: port.security,
  certificate: port.certificate && {
    subject: port.certificate.subject,
    issuer: port.certificate.issuer,
    names: port.certificate.names,
    sha256: port.certificate.sha256,
    key_type: port.certificate.key.type,
    key_bits: port.certificate.key.bits,
    valid_from: port.certificate.from,
    valid_until: port.certificate.until,
  },
  technologies: port.technologies.map(({ name, vendor, version, os, cpe, source }) => ({
    name,
    vendor,
    version,
    os,
    cpe,
    source,
  })),
  first_seen: port.firstSeen.toISOString(),
  last_seen: port.lastSeen.toISOString(),
});

export const presentHost = (host: HostWithPorts): ObservedHostResponse => ({
  id: host.id,
  address: host.address,
  gone: host.isGone,
  first_seen: host.firstSeen.toISOString(),
  last_seen: host.lastSeen.toISOString(),
  ports: host.ports.map(presentPort),
});

export const presentChange = (change: AssetChangeRow): AssetChangeResponse =>
  presented(AssetChangeResponse, change, {});
