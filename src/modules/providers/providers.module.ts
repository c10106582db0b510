import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssetsModule } from '../assets';
import { IdentityModule } from '../identity';
import { WebhooksModule } from '../webhooks';
import { IdentityProvider } from './data/identity-provider.entity';
import { IdentityProvidersRepository } from './data/identity-providers.repository';
import { ProviderLogout } from './data/provider-logout.entity';
import { ProviderSignIn } from './data/provider-sign-in.entity';
import { ScimToken } from './data/scim-token.entity';
import { ScimTokensRepository } from './data/scim-tokens.repository';
import { ProviderSignInsRepository } from './data/provider-sign-ins.repository';
import { LinkedProviders } from './linked-providers.service';
import { ProviderAdmission } from './provider-admission';
import { ProviderClients } from './provider-clients';
import { ProviderLogoutService } from './provider-logout.service';
import { ProviderSettingsService } from './provider-settings.service';
import { ProviderSignInService } from './provider-sign-in.service';
import { Providers } from './providers.service';
import { ScimService } from './scim.service';
import { ScimTokens } from './scim-tokens.service';
import { IdentityCheck, IdentityChecks } from './work/identity-checks';

@Module({
  imports: [
    TypeOrmModule.forFeature([IdentityProvider, ProviderSignIn, ProviderLogout, ScimToken]),
    IdentityModule,
    AssetsModule,
    WebhooksModule,
  ],
  providers: [
    IdentityProvidersRepository,
    ProviderSignInsRepository,
    ProviderAdmission,
    ProviderClients,
    Providers,
    ProviderSettingsService,
    ProviderSignInService,
    ProviderLogoutService,
    LinkedProviders,
    ScimTokensRepository,
    ScimTokens,
    ScimService,
    IdentityCheck,
    IdentityChecks,
  ],
  exports: [
    Providers,
    LinkedProviders,
    ProviderSettingsService,
    ProviderSignInService,
    ProviderLogoutService,
    ScimTokens,
    ScimService,
  ],
})
export class ProvidersModule {}
