import { Shown } from '../../../platform/api/shown';
import type { BeaconSecrets } from '../beacons.service';
import type { Beacon } from '../data/beacon.entity';

export class BeaconResponse {
  @Shown.integer()
  id!: number;

  @Shown.string()
  name!: string;

  @Shown.strings()
  allowed_cidrs!: string[];

  @Shown.string({ nullable: true })
  dns_server!: string | null;

  @Shown.string({ nullable: true })
  interface_name!: string | null;

  @Shown.integer({
    enum: [0, 1, 2, 3, 4],
    description:
      '0 pending (no report yet), 1 online, 2 degraded (one missed report), 3 offline (three missed reports), 4 disabled. A beacon reports every 300 seconds.',
  })
  status!: number;

  @Shown.instant({ description: 'The time of the last report. Before the first report, the time of the creation.' })
  last_seen!: string;

  @Shown.instant()
  created!: string;

  @Shown.integer({ description: 'The version of the configuration. It starts at 1 and increases with each change.' })
  version!: number;

  @Shown.string({
    nullable: true,
    description:
      "The token for the beacon's reports. Shown only once, in the response to the creation; null afterwards.",
  })
  beacon_token!: string | null;

  @Shown.string({
    nullable: true,
    description: 'The rathole server that the beacon connects to, if one is configured.',
  })
  rathole_server!: string | null;

  @Shown.integer({ nullable: true, description: 'The port of this beacon on the rathole server.' })
  rathole_public_port!: number | null;

  @Shown.string({
    nullable: true,
    description:
      'A file for `wg setconf`. If a rathole server is configured, it contains the file for the rathole client as comments. Shown only once, in the response to the creation; null afterwards.',
  })
  wireguard_config!: string | null;
}

export class BeaconListResponse {
  @Shown.list(BeaconResponse)
  beacons!: BeaconResponse[];
}

export class BeaconReportResponse {
  @Shown.strings()
  allowed_cidrs!: string[];

  @Shown.integer()
  version!: number;
}

export const presentBeacon = (
  beacon: Beacon,
  ratholeServer: string | undefined,
  secrets?: BeaconSecrets,
): BeaconResponse => ({
  id: beacon.id,
  name: beacon.name,
  allowed_cidrs: beacon.allowedCidrs,
  dns_server: beacon.dnsServer,
  interface_name: beacon.interfaceName,
  status: beacon.status,
  last_seen: (beacon.lastReport ?? beacon.created).toISOString(),
  created: beacon.created.toISOString(),
  version: beacon.version,
  beacon_token: secrets?.token ?? null,
  rathole_server: ratholeServer ?? null,
  rathole_public_port: beacon.ratholePublicPort,
  wireguard_config: secrets?.wireguardConfig ?? null,
});

export const presentConfiguration = ({ allowedCidrs, version }: Beacon): BeaconReportResponse => ({
  allowed_cidrs: allowedCidrs,
  version,
});
