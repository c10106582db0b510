import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { overlapEnd } from '../../kernel/overlap';
import type { Page, Slice } from '../../kernel/page';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { Config } from '../../platform/config/load-config';
import { OrganizationsService } from '../organizations';
import type { Beacon } from './data/beacon.entity';
import { BeaconConnectionsRepository } from './data/beacon-connections.repository';
import { BeaconsRepository } from './data/beacons.repository';
import { type BeaconSettings, differences, toWireFormat } from './domain/beacon-settings';
import { hashBeaconToken, newBeaconToken } from './domain/beacon-token';
import { endedToken, newOneTimeToken, type OneTimePurpose, oneTimeTokenEnd } from './domain/one-time-token';
import { beaconNameTaken, beaconNotFound, beaconsLimitReached, noFreePort } from './domain/beacon.errors';
import { ratholeClientConfig } from './domain/rathole';
import { type WireguardServer, newWireguardKeys, wireguardConfig, withRathole } from './domain/wireguard';

/** The credentials of a beacon, which only the response to its creation contains. */
export interface BeaconSecrets {
  readonly token: string;
  readonly wireguardConfig: string;
}

/** Only the response to its creation contains the token. */
export interface OneTimeToken {
  readonly token: string;
  readonly until: Date;
}

/** A beacon, and whether an agent of it is connected. */
export type BeaconView = Beacon & { readonly isConnected: boolean };

const MAX_IN_ORGANIZATION = 50;

@Injectable()
export class BeaconsService {
  constructor(
    private readonly beacons: BeaconsRepository,
    private readonly connections: BeaconConnectionsRepository,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @OwnerOf('beacon')
  async ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return (await this.beacons.find(scope, Number(id)))?.organizationId;
  }

  async get(scope: Scope, organizationId: number, beaconId: number): Promise<BeaconView> {
    const beacon = await this.beacons.findOne(scope, organizationId, beaconId);
    if (beacon === undefined) throw beaconNotFound();
    const [view] = await this.withConnections(organizationId, [beacon]);
    return view as BeaconView;
  }

  /** All, or only those that have stopped reporting. */
  async list(scope: Scope, organizationId: number, page: Page, isSilent = false): Promise<Slice<BeaconView>> {
    const { id } = await this.organizations.get(scope, organizationId);
    const slice = await this.beacons.listForVisible(id, page, isSilent);
    return { ...slice, items: await this.withConnections(id, slice.items) };
  }

  async create(
    caller: Caller,
    organizationId: number,
    settings: BeaconSettings,
  ): Promise<{ beacon: BeaconView; secrets: BeaconSecrets }> {
    await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId, metadata: toWireFormat(settings) });
    caller.requireRole('admin', organizationId);
    await this.requireCapacityFor(organizationId, settings.name);
    const token = newBeaconToken();
    const { privateKey, publicKey } = newWireguardKeys();
    const id = await this.beacons.save({
      ...settings,
      organizationId,
      tokenHash: hashBeaconToken(token),
      wireguardPublicKey: publicKey,
      ratholePublicPort: await this.takePort(),
    });
    this.unitOfWork.note({ resourceId: String(id) });
    const beacon = await this.get(caller.scope, organizationId, id);
    return { beacon, secrets: { token, wireguardConfig: this.configFor(id, token, privateKey) } };
  }

  /** The version increases only if a value changes. */
  async change(
    caller: Caller,
    organizationId: number,
    beaconId: number,
    wanted: Partial<BeaconSettings>,
  ): Promise<BeaconView> {
    const beacon = await this.lockToChange(caller, organizationId, beaconId);
    const { from, to } = differences(beacon, wanted);
    this.unitOfWork.note({ metadata: { from: toWireFormat(from), to: toWireFormat(to) } });
    if (Object.keys(to).length > 0) await this.beacons.change(beaconId, { ...to, version: beacon.version + 1 });
    return this.get(caller.scope, organizationId, beaconId);
  }

  /** A token that an earlier rotation replaced ends at once, and so do those of one use. */
  async rotateToken(
    caller: Caller,
    organizationId: number,
    beaconId: number,
    overlapHours: number,
  ): Promise<{ beacon: BeaconView; token: string }> {
    const { tokenHash } = await this.lockToChange(caller, organizationId, beaconId);
    const token = newBeaconToken();
    const until = overlapEnd(this.clock.now(), overlapHours);
    await this.beacons.change(beaconId, {
      tokenHash: hashBeaconToken(token),
      previousTokenHash: until === null ? null : tokenHash,
      previousTokenUntil: until,
      ...endedToken('registration'),
      ...endedToken('deletion'),
    });
    this.unitOfWork.note({ metadata: { previous_token_until: until?.toISOString() ?? null } });
    return { beacon: await this.get(caller.scope, organizationId, beaconId), token };
  }

  /** Works once, within an hour. An earlier token of this purpose ends at once. */
  async createOneTimeToken(
    caller: Caller,
    organizationId: number,
    beaconId: number,
    purpose: OneTimePurpose,
  ): Promise<OneTimeToken> {
    await this.lockToChange(caller, organizationId, beaconId);
    const token = newOneTimeToken(purpose, beaconId);
    const until = oneTimeTokenEnd(this.clock.now());
    const isUnused = purpose === 'registration' ? { registrationUsed: false } : {};
    await this.beacons.change(beaconId, {
      [`${purpose}Hash`]: hashBeaconToken(token),
      [`${purpose}Until`]: until,
      [`${purpose}By`]: caller.facts.userId,
      ...isUnused,
    });
    this.unitOfWork.note({ metadata: { until: until.toISOString() } });
    return { token, until };
  }

  /** The database deletes its assets by ON DELETE CASCADE, even while work runs on them. */
  async delete(caller: Caller, organizationId: number, beaconId: number): Promise<void> {
    await this.lockToChange(caller, organizationId, beaconId);
    await this.beacons.remove(beaconId);
  }

  private async withConnections(organizationId: number, beacons: readonly Beacon[]): Promise<BeaconView[]> {
    const ids = beacons.map(({ id }) => id);
    const connected = await this.connections.listConnectedOfVisible(organizationId, ids);
    return beacons.map((beacon) => Object.assign(beacon, { isConnected: connected.has(beacon.id) }));
  }

  private async lockToChange(caller: Caller, organizationId: number, beaconId: number): Promise<Beacon> {
    const beacon = await this.beacons.lockOne(caller.scope, organizationId, beaconId);
    if (beacon === undefined) throw beaconNotFound();
    this.unitOfWork.note({ organizationId, metadata: { name: beacon.name } });
    caller.requireRole('admin', organizationId);
    await this.unitOfWork.checkCondition();
    return beacon;
  }

  private async requireCapacityFor(organizationId: number, name: string): Promise<void> {
    const { beacons, isTaken } = await this.beacons.countInLocked(organizationId, name);
    if (isTaken) throw beaconNameTaken();
    if (beacons >= MAX_IN_ORGANIZATION) throw beaconsLimitReached(MAX_IN_ORGANIZATION);
  }

  private async takePort(): Promise<number | null> {
    const { BEACON_RATHOLE_PORTS: ports } = this.config;
    if (ports === undefined) return null;
    const port = await this.beacons.takePort(ports.first, ports.last);
    if (port === undefined) throw noFreePort();
    return port;
  }

  private configFor(id: number, token: string, privateKey: string): string {
    const { BEACON_RATHOLE_SERVER: server } = this.config;
    const config = wireguardConfig(privateKey, wireguardServer(this.config));
    if (server === undefined) return config;
    return withRathole(config, ratholeClientConfig({ server, service: `beacon-${id}`, token }));
  }
}

function wireguardServer(config: Config): WireguardServer | null {
  const { BEACON_WIREGUARD_PUBLIC_KEY: publicKey, BEACON_WIREGUARD_ENDPOINT: endpoint = null } = config;
  return publicKey === undefined ? null : { publicKey, endpoint, addresses: config.BEACON_WIREGUARD_ADDRESSES };
}
