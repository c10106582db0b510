import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssetsModule } from '../assets';
import { BeaconsModule } from '../beacons';
import { RetestsModule } from '../retests';
import { DiscoveriesRepository } from './data/discoveries.repository';
import { DiscoveryRow } from './data/discovery.entity';
import { DiscoveredAssetsService } from './discovered-assets.service';
import { DiscoveriesService } from './discoveries.service';
import { DiscoveryRun } from './work/discovery-run';

@Module({
  imports: [TypeOrmModule.forFeature([DiscoveryRow]), BeaconsModule, AssetsModule, RetestsModule],
  providers: [DiscoveriesRepository, DiscoveriesService, DiscoveredAssetsService, DiscoveryRun],
  exports: [DiscoveriesService, DiscoveredAssetsService],
})
export class DiscoveryModule {}
