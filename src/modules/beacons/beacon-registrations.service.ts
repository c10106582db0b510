import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { isAtLeast } from '../../kernel/role';
import { everything } from '../../platform/api/scope';
import { Callers } from '../identity';
import type { Beacon } from './data/beacon.entity';
import { BeaconsRepository } from './data/beacons.repository';
import { commonNetworks, MAX_CIDRS } from './domain/beacon-network';
import { hashBeaconToken, isTokenOf } from './domain/beacon-token';
import {
  beaconNotFound,
  makerIsNoAdmin,
  noCommonNetwork,
  otherBeacon,
  registrationUsed,
  tooManyNetworks,
} from './domain/beacon.errors';
import { isOneTimeTokenOf, type OneTimePurpose } from './domain/one-time-token';

/** An authenticated beacon, and the token of one use that it came with. */
export interface OneTimeBeacon {
  readonly id: number;
  readonly token: string;
}

export interface Registration {
  /** The agent makes it and keeps it before it registers, so that it can repeat a request whose response was lost. */
  readonly beaconToken: string;
  /** The name that the agent expects. */
  readonly name: string | null;
  /** Those of the agent; null for all of the beacon. */
  readonly networks: readonly string[] | null;
}

const scope = everything('a beacon registers and deletes itself with a token of its own');

/** What agents do with a token that an admin made for one use. */
@Injectable()
export class BeaconRegistrationsService {
  constructor(
    private readonly beacons: BeaconsRepository,
    private readonly callers: Callers,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Replaces the token of the beacon, and lowers its networks to those of the agent. */
  async register(
    caller: OneTimeBeacon,
    { beaconToken, name, networks }: Registration,
  ): Promise<Pick<Beacon, 'allowedCidrs' | 'version'>> {
    const beacon = await this.lock(caller, 'registration');
    if (beacon.registrationUsed) {
      if (isTokenOf(beacon, beaconToken, this.clock.now())) return beacon;
      throw registrationUsed();
    }
    if (name !== null && name !== beacon.name) throw otherBeacon(beacon.name);
    const allowedCidrs = networksFor(beacon, networks);
    const version = beacon.version + (allowedCidrs.join() === beacon.allowedCidrs.join() ? 0 : 1);
    this.unitOfWork.note({ metadata: { allowed_cidrs: allowedCidrs } });
    const change = { tokenHash: hashBeaconToken(beaconToken), previousTokenHash: null, previousTokenUntil: null };
    await this.beacons.change(beacon.id, { ...change, allowedCidrs, version, registrationUsed: true });
    return { allowedCidrs, version };
  }

  async delete(caller: OneTimeBeacon): Promise<void> {
    const { id } = await this.lock(caller, 'deletion');
    await this.beacons.remove(id);
  }

  /** Its token may have been replaced since the request was authenticated. */
  private async lock({ id, token }: OneTimeBeacon, purpose: OneTimePurpose): Promise<Beacon> {
    const beacon = await this.beacons.lock(scope, id);
    if (beacon === undefined || !isOneTimeTokenOf(beacon, purpose, token, this.clock.now())) throw beaconNotFound();
    const { organizationId, name } = beacon;
    this.unitOfWork.note({ organizationId, resourceId: String(id), metadata: { name } });
    await this.requireAdmin(beacon[`${purpose}By`], organizationId);
    return beacon;
  }

  /** Whoever made the token may have left, or have another role now. */
  private async requireAdmin(maker: number | null, organizationId: number): Promise<void> {
    const role = maker === null ? undefined : await this.callers.roleIn(maker, organizationId);
    if (role === undefined || !isAtLeast(role, 'admin')) throw makerIsNoAdmin();
  }
}

function networksFor({ allowedCidrs }: Beacon, networks: readonly string[] | null): string[] {
  if (networks === null) return allowedCidrs;
  const common = commonNetworks(allowedCidrs, networks);
  if (common.length === 0) throw noCommonNetwork(networks, allowedCidrs);
  if (common.length > MAX_CIDRS) throw tooManyNetworks(MAX_CIDRS);
  return common;
}
