import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BeaconsModule } from '../beacons';
import { FindingsModule } from '../findings';
import { OrganizationsModule } from '../organizations';
import { AssetDetailsService } from './asset-details.service';
import { AssetsService } from './assets.service';
import { AssetTechnology } from './data/asset-technology.entity';
import { Asset } from './data/asset.entity';
import { AssetsRepository } from './data/assets.repository';
import { Domain } from './data/domain.entity';
import { DomainsRepository } from './data/domains.repository';
import { TxtResolver } from './dns/txt-resolver';
import { DomainVerification } from './domain-verification';
import { DomainsService } from './domains.service';
import { DomainLookups } from './work/domain-lookups';

@Module({
  imports: [
    TypeOrmModule.forFeature([Asset, AssetTechnology, Domain]),
    OrganizationsModule,
    BeaconsModule,
    FindingsModule,
  ],
  providers: [
    AssetsRepository,
    DomainsRepository,
    AssetsService,
    AssetDetailsService,
    DomainsService,
    DomainVerification,
    TxtResolver,
    DomainLookups,
  ],
  exports: [AssetsService, AssetDetailsService, DomainsService],
})
export class AssetsModule {}
