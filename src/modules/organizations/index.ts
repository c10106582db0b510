export { organizationNotFound } from './domain/organization.errors';
export { LogosController } from './http/logos.controller';
export { OrganizationsController } from './http/organizations.controller';
export { LogosService } from './logos.service';
export { IntegratorsService } from './integrators.service';
export { OrganizationsModule } from './organizations.module';
export { OrganizationsService } from './organizations.service';
export type { ObservationSetting } from './data/organizations.repository';
export type { Organization } from './data/organization.entity';
