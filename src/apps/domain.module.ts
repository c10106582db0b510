import { Module } from '@nestjs/common';
import { AuditModule } from '../modules/audit';
import { BeaconsModule } from '../modules/beacons';
import { FindingsModule } from '../modules/findings';
import { IdentityModule } from '../modules/identity';
import { OrganizationsModule } from '../modules/organizations';
import { SettingsModule } from '../modules/settings';

/** The whole domain, without anything that listens: what the API, the worker and the command line have in common. */
const modules = [AuditModule, OrganizationsModule, IdentityModule, SettingsModule, BeaconsModule, FindingsModule];

@Module({ imports: modules, exports: modules })
export class DomainModule {}
