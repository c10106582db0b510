import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AssetsModule } from '../assets';
import { IdentityModule } from '../identity';
import { OrganizationsModule } from '../organizations';
import { SealedAccountSecrets } from './account-secrets';
import { AssetAccountsService } from './accounts.service';
import { AccountUse } from './account-use';
import { AssetAccountRow } from './data/asset-account.entity';
import { AssetAccountsRepository } from './data/asset-accounts.repository';
import { NotifiedAccountsRepository } from './data/notified-accounts.repository';

@Module({
  imports: [TypeOrmModule.forFeature([AssetAccountRow]), OrganizationsModule, IdentityModule, AssetsModule],
  providers: [
    AssetAccountsRepository,
    NotifiedAccountsRepository,
    SealedAccountSecrets,
    AssetAccountsService,
    AccountUse,
  ],
  exports: [
    AssetAccountsRepository,
    NotifiedAccountsRepository,
    SealedAccountSecrets,
    AssetAccountsService,
    AccountUse,
  ],
})
export class AccountsModule {}
