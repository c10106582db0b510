import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { type Actor, system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { runEach } from '../../platform/work/run-each';
import type { Beacon } from './data/beacon.entity';
import { BeaconsRepository } from './data/beacons.repository';
import { BEACON_STATUS, beaconStatusAt, degradedSince, offlineSince } from './domain/beacon-status';
import { beaconNotFound } from './domain/beacon.errors';

/** A beacon that has proved which one it is, with what the audit log keeps of its request. */
export interface ReportingBeacon {
  readonly id: number;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What it says of itself: the version that it goes by, and the interfaces that it sees. */
export interface BeaconReport {
  readonly version: number | null;
  readonly interfaces: readonly string[];
}

const scope = everything('a beacon reports for itself, and silence is noticed everywhere');
const batchSize = 500;

/** Keeps the status of beacons true: by their reports, and by the clock where these stay away. */
@Injectable()
export class BeaconReportsService {
  constructor(
    private readonly beacons: BeaconsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** Answers the beacon as it is to go by from now on. */
  async report({ id, metadata }: ReportingBeacon, reported: BeaconReport): Promise<Beacon> {
    const now = this.clock.now();
    const beacon = await this.beacons.touch(id, now);
    if (beacon === undefined) throw beaconNotFound();
    if (beacon.status !== statusOf(beacon, now))
      await this.updateStatus(id, { type: 'beacon', id: String(id) }, { ...metadata, reported });
    return beacon;
  }

  /** Doing it twice does nothing more. */
  async detectMissedReports(): Promise<void> {
    const now = this.clock.now();
    const overdue = await this.beacons.findWithMissedReports(scope, degradedSince(now), offlineSince(now), batchSize);
    await runEach(overdue, (id) => this.updateStatus(id, system, {}));
  }

  /** Of all that see that a status is due to change, the first to lock the row changes it, and has the entry. */
  private updateStatus(id: number, actor: Actor, metadata: Record<string, unknown>): Promise<true | undefined> {
    const description = {
      actor,
      operation: 'beacon.status_change',
      resourceType: 'beacon',
      resourceId: String(id),
      metadata,
    } as const;
    return this.unitOfWork.runIfDue(description, scope, async () => {
      const beacon = await this.beacons.lock(scope, id);
      const to = beacon && statusOf(beacon, this.clock.now());
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
