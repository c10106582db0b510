export { IdentityModule } from './identity.module';
export { IdentityService } from './identity.service';
