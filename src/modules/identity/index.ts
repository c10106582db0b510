export { IdentityModule } from './identity.module';
export { IdentityService, type UserDraft } from './identity.service';
