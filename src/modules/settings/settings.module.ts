import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations';
import { SettingsService } from './settings.service';

@Module({
  imports: [OrganizationsModule],
  providers: [SettingsService],
  exports: [SettingsService],
})
export class SettingsModule {}
