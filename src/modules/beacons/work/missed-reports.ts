import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ScheduledTask } from '../../../platform/work/work-handler';
import { WorkRegistry } from '../../../platform/work/work-registry';
import { BeaconReportsService } from '../beacon-reports.service';

/** Regularly detects beacons that have missed reports. */
@Injectable()
export class MissedReports implements ScheduledTask, OnModuleInit {
  readonly name = 'beacon.missed_reports';
  readonly everySeconds = 10;

  constructor(
    private readonly reports: BeaconReportsService,
    private readonly registry: WorkRegistry,
  ) {}

  onModuleInit(): void {
    this.registry.schedule(this);
  }

  run(): Promise<void> {
    return this.reports.detectMissedReports();
  }
}
