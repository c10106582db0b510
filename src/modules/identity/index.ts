export { IdentityModule } from './identity.module';
export { IdentityService, type UserDraft } from './identity.service';
export { LIFETIME_MS, SessionsService, type SignedIn } from './sessions.service';
