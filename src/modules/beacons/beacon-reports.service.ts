import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { type Actor, system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { Scheduled } from '../../platform/work/work-handler';
import { TenantTurns } from '../../platform/work/tenant-turns';
import type { Beacon } from './data/beacon.entity';
import { BeaconConnectionsRepository } from './data/beacon-connections.repository';
import { BeaconsRepository } from './data/beacons.repository';
import { BEACON_STATUS, type BeaconStatus, beaconStatusAt, degradedSince, offlineSince } from './domain/beacon-status';
import { beaconNotFound } from './domain/beacon.errors';

/** An authenticated beacon, with the facts of its request for the audit log. */
export interface ReportingBeacon {
  readonly id: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** The version of the configuration that the beacon uses, and its network interfaces. */
export interface BeaconReport {
  readonly version: number | null;
  readonly interfaces: readonly string[];
  /** Of a connected agent. */
  readonly agentVersion?: string;
}

const scope = everything('beacons report for themselves, and missed reports are detected in all organizations');
const BATCH_SIZE = 500;

/** Updates the status of beacons, after a report and after missed reports. */
@Injectable()
export class BeaconReportsService {
  constructor(
    private readonly beacons: BeaconsRepository,
    private readonly connections: BeaconConnectionsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly turns: TenantTurns,
    private readonly clock: Clock,
  ) {}

  /** Returns the beacon with its current configuration. */
  async report({ id, metadata }: ReportingBeacon, reported: BeaconReport): Promise<Beacon> {
    const now = this.clock.now();
    const beacon = await this.beacons.touch(id, now, reported.agentVersion ?? null);
    if (beacon === undefined) throw beaconNotFound();
    if (beacon.status !== statusOf(beacon, now))
      await this.updateStatus(id, { type: 'beacon', id: String(id) }, { ...metadata, reported });
    return beacon;
  }

  /** After an agent said goodbye: the beacon is offline at once, unless another agent of it is connected. */
  async stop({ id, metadata }: ReportingBeacon): Promise<void> {
    await this.updateStatus(id, { type: 'beacon', id: String(id) }, metadata, async ({ organizationId, status }) => {
      const connected = await this.connections.listConnectedOfVisible(organizationId, [id]);
      return connected.has(id) || status === BEACON_STATUS.disabled ? status : BEACON_STATUS.offline;
    });
  }

  /** Idempotent: several workers may run it at the same time. */
  @Scheduled({ name: 'beacon.missed_reports', everySeconds: 10 })
  async detectMissedReports(): Promise<void> {
    const now = this.clock.now();
    await this.turns.each(
      'beacon.missed_reports',
      scope,
      (part) => this.beacons.findWithMissedReports(part, degradedSince(now), offlineSince(now), BATCH_SIZE),
      ({ id }) => this.updateStatus(id, system, {}),
    );
  }

  /** Of several concurrent callers, the first one that locks the row changes the status and writes the audit entry. */
  private updateStatus(
    id: number,
    actor: Actor,
    metadata: Record<string, unknown>,
    wanted: (beacon: Beacon) => BeaconStatus | Promise<BeaconStatus> = (beacon) => statusOf(beacon, this.clock.now()),
  ): Promise<true | undefined> {
    const description = {
      actor,
      operation: 'beacon.status_change',
      resourceType: 'beacon',
      resourceId: String(id),
      metadata,
    } as const;
    return this.unitOfWork.runIfDue(description, scope, async () => {
      const beacon = await this.beacons.lock(scope, id);
      const to = beacon && (await wanted(beacon));
      if (beacon === undefined || to === undefined || beacon.status === to) return undefined;
      const { organizationId, name, status: from } = beacon;
      this.unitOfWork.note({ organizationId, metadata: { name, from, to } });
      await this.beacons.change(id, { status: to });
      return true;
    });
  }
}

const statusOf = ({ status, lastReport }: Beacon, now: Date) =>
  beaconStatusAt(now, lastReport, status === BEACON_STATUS.disabled);
