export { IdentityModule } from './identity.module';
export { IdentityService, type UserDraft } from './identity.service';
export { SessionsService, type SignedIn } from './sessions.service';
