import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Integrator } from './data/integrator.entity';
import { IntegratorsRepository } from './data/integrators.repository';
import { Organization } from './data/organization.entity';
import { OrganizationsRepository } from './data/organizations.repository';
import { PurgeRepository } from './data/purge.repository';
import { IntegratorsService } from './integrators.service';
import { OrganizationsService } from './organizations.service';
import { OrganizationPurge } from './work/organization-purge';

@Module({
  imports: [TypeOrmModule.forFeature([Organization, Integrator])],
  providers: [
    OrganizationsRepository,
    IntegratorsRepository,
    PurgeRepository,
    OrganizationsService,
    IntegratorsService,
    OrganizationPurge,
  ],
  exports: [OrganizationsService, IntegratorsService],
})
export class OrganizationsModule {}
