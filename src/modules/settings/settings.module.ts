import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations';
import { AgentWrites } from './agent-writes.service';
import { SettingsService } from './settings.service';

@Module({
  imports: [OrganizationsModule],
  providers: [AgentWrites, SettingsService],
  exports: [AgentWrites, SettingsService],
})
export class SettingsModule {}
