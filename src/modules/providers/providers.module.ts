import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssetsModule } from '../assets';
import { IdentityModule } from '../identity';
import { WebhooksModule } from '../webhooks';
import { IdentityProvider } from './data/identity-provider.entity';
import { IdentityProvidersRepository } from './data/identity-providers.repository';
import { ProviderLogout } from './data/provider-logout.entity';
import { ProviderSignIn } from './data/provider-sign-in.entity';
import { ProviderSignInsRepository } from './data/provider-sign-ins.repository';
import { LinkedProviders } from './linked-providers.service';
import { ProviderAdmission } from './provider-admission';
import { ProviderClients } from './provider-clients';
import { ProviderLogoutService } from './provider-logout.service';
import { ProviderSettingsService } from './provider-settings.service';
import { ProviderSignInService } from './provider-sign-in.service';
import { Providers } from './providers.service';
import { IdentityCheck, IdentityChecks } from './work/identity-checks';

@Module({
  imports: [
    TypeOrmModule.forFeature([IdentityProvider, ProviderSignIn, ProviderLogout]),
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
    IdentityCheck,
    IdentityChecks,
  ],
  exports: [Providers, LinkedProviders, ProviderSettingsService, ProviderSignInService, ProviderLogoutService],
})
export class ProvidersModule {}
