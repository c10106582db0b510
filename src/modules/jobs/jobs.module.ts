import { Module } from '@nestjs/common';
import { AssetsModule } from '../assets';
import { EventsModule } from '../events';
import { FindingsModule } from '../findings';
import { OrganizationsModule } from '../organizations';
import { CoveringAssetsRepository } from './data/covering-assets.repository';
import { EngineRuntime } from './engine-runtime';
import { LaunchRule } from './launch-rule';

@Module({
  imports: [OrganizationsModule, AssetsModule, EventsModule, FindingsModule],
  providers: [EngineRuntime, LaunchRule, CoveringAssetsRepository],
  exports: [LaunchRule],
})
export class JobsModule {}
