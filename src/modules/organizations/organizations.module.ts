import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Integrator } from './data/integrator.entity';
import { IntegratorsRepository } from './data/integrators.repository';
import { Organization } from './data/organization.entity';
import { LogosRepository } from './data/logos.repository';
import { OrganizationLogo } from './data/organization-logo.entity';
import { OrganizationsRepository } from './data/organizations.repository';
import { PurgeRepository } from './data/purge.repository';
import { LogosService } from './logos.service';
import { IntegratorsService } from './integrators.service';
import { OrganizationsService } from './organizations.service';
import { OrganizationPurge } from './work/organization-purge';

@Module({
  imports: [TypeOrmModule.forFeature([Organization, OrganizationLogo, Integrator])],
  providers: [
    OrganizationsRepository,
    IntegratorsRepository,
    LogosRepository,
    PurgeRepository,
    OrganizationsService,
    IntegratorsService,
    LogosService,
    OrganizationPurge,
  ],
  exports: [OrganizationsService, IntegratorsService, LogosService],
})
export class OrganizationsModule {}
