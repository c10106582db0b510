import { Injectable } from '@nestjs/common';
import { Scheduled } from '../../../platform/work/work-handler';
import { AssetChangesRepository } from '../data/asset-changes.repository';
import { ObservationsRepository } from '../data/observations.repository';
import { ObservedHostsRepository } from '../data/observed-hosts.repository';

/** The changes, and the hosts that are gone. */
const RETENTION_DAYS = 400;
/** What an observation showed is in the hosts and changes. */
const OBSERVATION_DAYS = 30;
const BATCH = 5_000;

/** Removes what is older than its retention, and keeps partitions for the changes of the next months. */
@Injectable()
export class ObservationRemoval {
  constructor(
    private readonly observations: ObservationsRepository,
    private readonly hosts: ObservedHostsRepository,
    private readonly changes: AssetChangesRepository,
  ) {}

  @Scheduled({ name: 'asset.observation_removal', everySeconds: 3_600 })
  async run(): Promise<void> {
    while ((await this.observations.removeFinished(OBSERVATION_DAYS, BATCH)) > 0);
    while ((await this.hosts.removeGone(RETENTION_DAYS, BATCH)) > 0);
    await this.changes.keepPartitions();
  }
}
