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
      '0 pending (never seen), 1 online, 2 degraded (a report missed), 3 offline (three missed), 4 disabled. Reports are due every 300 seconds.',
  })
  status!: number;

  @Shown.instant({ description: 'Its last report; before the first, when it was created.' })
  last_seen!: string;

  @Shown.instant()
  created!: string;

  @Shown.integer({ description: 'From 1; one more with each change.' })
  version!: number;

  @Shown.string({
    nullable: true,
    description: 'What the beacon reports with. In the answer to its creation alone; null ever after.',
  })
  beacon_token!: string | null;

  @Shown.string({ nullable: true, description: 'The rathole server to connect to, where one is configured.' })
  rathole_server!: string | null;

  @Shown.integer({ nullable: true, description: 'The port of that server which is this beacon’s own.' })
  rathole_public_port!: number | null;

  @Shown.string({
    nullable: true,
    description:
      'A file for `wg setconf`, with the file for the rathole client as comments in it, where a rathole server is configured. In the answer to the creation alone; null ever after.',
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

export const presentOrders = ({ allowedCidrs, version }: Beacon): BeaconReportResponse => ({
  allowed_cidrs: allowedCidrs,
  version,
});
