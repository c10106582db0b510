import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssetsModule } from '../assets';
import { ChecksModule } from '../checks';
import { BeaconsModule } from '../beacons';
import { OrganizationsModule } from '../organizations';
import { RetestsModule } from '../retests';
import { BlockObserver } from './block-observer';
import { BlockResults } from './block-results';
import { AssetChangeRow } from './data/asset-change.entity';
import { AssetChangesRepository } from './data/asset-changes.repository';
import { ObservationRow } from './data/observation.entity';
import { ObservationsRepository } from './data/observations.repository';
import { ObservedHostRow } from './data/observed-host.entity';
import { ObservedHostsRepository } from './data/observed-hosts.repository';
import { ObservedPortRow } from './data/observed-port.entity';
import { EngineHostObserver } from './engine-host-observer';
import { HostObserver } from './host-observer';
import { LookStore } from './look-store';
import { ObservationResults } from './observation-results';
import { ObservationRule } from './observation-rule';
import { ObservationSettings } from './observation-settings.service';
import { ObservationsService } from './observations.service';
import { ObservedHosts } from './observed-hosts.service';
import { PageLooks } from './page-looks';
import { TechnologyTemplates } from './technology-templates';
import { ObservationRemoval } from './work/observation-removal';
import { ObservationRun } from './work/observation-run';
import { ObservationSchedule } from './work/observation-schedule';

@Module({
  imports: [
    TypeOrmModule.forFeature([ObservationRow, ObservedHostRow, ObservedPortRow, AssetChangeRow]),
    OrganizationsModule,
    BeaconsModule,
    ChecksModule,
    AssetsModule,
    RetestsModule,
  ],
  providers: [
    ObservationsRepository,
    ObservedHostsRepository,
    AssetChangesRepository,
    { provide: HostObserver, useClass: EngineHostObserver },
    TechnologyTemplates,
    ObservationRule,
    ObservationsService,
    ObservationSettings,
    ObservedHosts,
    PageLooks,
    LookStore,
    ObservationResults,
    BlockResults,
    BlockObserver,
    ObservationRun,
    ObservationSchedule,
    ObservationRemoval,
  ],
  exports: [ObservationsService, ObservationSettings, ObservedHosts],
})
export class ObservationsModule {}
