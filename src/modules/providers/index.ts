export { groupRolesText, parseGroupRoles, PROVIDER_ROLES, type ProviderRole } from './domain/role-mapping';
export { type LinkedProvider, LinkedProviders } from './linked-providers.service';
export { CALLBACK_PATH } from './provider-clients';
export { ProviderLogoutService } from './provider-logout.service';
export { type ProviderSettings, ProviderSettingsService } from './provider-settings.service';
export { ProviderSignInService, SIGN_IN_MS } from './provider-sign-in.service';
export { Providers, type Provider } from './providers.service';
export { ProvidersModule } from './providers.module';
