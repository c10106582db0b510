import { presented, ResponseField } from '../../../platform/api/response-field';
import type { BeaconSecrets, BeaconView, OneTimeToken } from '../beacons.service';
import type { Beacon } from '../data/beacon.entity';

export class BeaconResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  name!: string;

  @ResponseField.strings()
  allowed_cidrs!: string[];

  @ResponseField.string({ nullable: true })
  dns_server!: string | null;

  @ResponseField.string({ nullable: true })
  interface_name!: string | null;

  @ResponseField.integer({
    enum: [0, 1, 2, 3, 4],
    description:
      '0 pending (no report yet), 1 online, 2 degraded (one missed report), 3 offline (three missed reports), 4 disabled. A beacon reports every 300 seconds.',
  })
  status!: number;

  @ResponseField.instant({
    description: 'The time of the last report. Before the first report, the time of the creation.',
  })
  last_seen!: string;

  @ResponseField.instant()
  created!: string;

  @ResponseField.boolean({
    description: 'Whether an agent of the beacon is connected now, so that targets in its networks can be tested.',
  })
  connected!: boolean;

  @ResponseField.boolean({ description: 'Whether the assets behind it are observed.' })
  observe!: boolean;

  @ResponseField.string({ nullable: true, description: 'The version of the agent that connected last.' })
  agent_version!: string | null;

  @ResponseField.integer({
    description: 'The version of the configuration. It starts at 1 and increases with each change.',
  })
  version!: number;

  @ResponseField.string({
    nullable: true,
    description:
      "The token for the beacon's reports. Shown only once, in the response to the creation; null afterwards.",
  })
  beacon_token!: string | null;

  @ResponseField.string({
    nullable: true,
    description: 'The rathole server that the beacon connects to, if one is configured.',
  })
  rathole_server!: string | null;

  @ResponseField.integer({ nullable: true, description: 'The port of this beacon on the rathole server.' })
  rathole_public_port!: number | null;

  @ResponseField.string({
    nullable: true,
    description:
      'A file for `wg setconf`. It carries no tests: those go through the agent, `assay-beacon`. If a rathole server is configured, it contains the file for the rathole client as comments. Shown only once, in the response to the creation; null afterwards.',
  })
  wireguard_config!: string | null;
}

export class BeaconListResponse {
  @ResponseField.list(BeaconResponse)
  beacons!: BeaconResponse[];
}

export class BeaconReportResponse {
  @ResponseField.strings()
  allowed_cidrs!: string[];

  @ResponseField.integer()
  version!: number;
}

export class OneTimeTokenResponse {
  @ResponseField.string({ nullable: true, description: 'Shown only once.' })
  token!: string | null;

  @ResponseField.instant({ description: 'When it ends, an hour after it was made.' })
  until!: string;
}

export const presentOneTimeToken = ({ token, until }: OneTimeToken): OneTimeTokenResponse => ({
  token,
  until: until.toISOString(),
});

export const presentBeacon = (
  beacon: BeaconView,
  ratholeServer: string | undefined,
  secrets?: Partial<BeaconSecrets>,
): BeaconResponse =>
  presented(BeaconResponse, beacon, {
    connected: beacon.isConnected,
    last_seen: (beacon.lastReport ?? beacon.created).toISOString(),
    beacon_token: secrets?.token ?? null,
    rathole_server: ratholeServer ?? null,
    wireguard_config: secrets?.wireguardConfig ?? null,
  });

export const presentConfiguration = ({
  allowedCidrs,
  version,
}: Pick<Beacon, 'allowedCidrs' | 'version'>): BeaconReportResponse => ({
  allowed_cidrs: allowedCidrs,
  version,
});
