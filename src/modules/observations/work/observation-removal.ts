import { Injectable } from '@nestjs/common';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { everything } from '../../../platform/api/scope';
import { Scheduled } from '../../../platform/work/work-handler';
import { AssetChangesRepository } from '../data/asset-changes.repository';
import { ObservationsRepository } from '../data/observations.repository';
import { ObservedHostsRepository } from '../data/observed-hosts.repository';

/** The changes, and the hosts that are gone. */
const RETENTION_DAYS = 400;
/** The results of an observation are in the hosts and changes. */
const OBSERVATION_DAYS = 30;
const BATCH = 5_000;

const scope = everything('what observations have shown is removed for all organizations');

/** Removes what is older than its retention, and keeps partitions for the changes of the next months. */
@Injectable()
export class ObservationRemoval {
  constructor(
    private readonly observations: ObservationsRepository,
    private readonly hosts: ObservedHostsRepository,
    private readonly changes: AssetChangesRepository,
    private readonly turns: TenantTurns,
  ) {}

  @Scheduled({ name: 'asset.observation_removal', everySeconds: 3_600 })
  async run(): Promise<void> {
    await this.turns.sweep('asset.observation_removal', scope, async (part) => {
      const observations = await this.observations.removeFinished(part, OBSERVATION_DAYS, BATCH);
      return observations + (await this.hosts.removeGone(part, RETENTION_DAYS, BATCH));
    });
    await this.changes.keepPartitions();
  }
}
