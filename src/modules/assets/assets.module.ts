import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApprovalsModule } from '../approvals';
import { BeaconsModule } from '../beacons';
import { FindingsModule } from '../findings';
import { IdentityModule } from '../identity';
import { OrganizationsModule } from '../organizations';
import { AcceptedChecksService } from './accepted-checks.service';
import { AssetDetailsService } from './asset-details.service';
import { AssetOwners } from './asset-owners';
import { AssetRules } from './asset-rules';
import { AssetsService } from './assets.service';
import { ScannedAssetsService } from './scanned-assets.service';
import { BeaconAssetsService } from './beacon-assets.service';
import { AcceptedCheck } from './data/accepted-check.entity';
import { AcceptedCheckOnMany } from './data/accepted-check-on-many.entity';
import { AcceptedChecksOnManyRepository } from './data/accepted-checks-on-many.repository';
import { AcceptedChecksOnManyService } from './accepted-on-many.service';
import { AcceptedChecksRepository } from './data/accepted-checks.repository';
import { AssetTechnology } from './data/asset-technology.entity';
import { Asset } from './data/asset.entity';
import { AssetsRepository } from './data/assets.repository';
import { Domain } from './data/domain.entity';
import { DomainsRepository } from './data/domains.repository';
import { ObservedAssetRow } from './data/observed-asset.entity';
import { ObservedAssetsRepository } from './data/observed-assets.repository';
import { ObservationPlansRepository } from './data/observation-plans.repository';
import { TxtResolver } from './dns/txt-resolver';
import { DomainVerification } from './domain-verification';
import { DomainsService } from './domains.service';
import { AssetSummaryRepository } from './data/asset-summary.repository';
import { Hostings } from './hostings';
import { ObservedAssets } from './observed-assets.service';
import { ObservationPlans } from './observation-plans';
import { DomainLookups } from './work/domain-lookups';

@Module({
  imports: [
    TypeOrmModule.forFeature([AcceptedCheck, AcceptedCheckOnMany, Asset, AssetTechnology, Domain, ObservedAssetRow]),
    ApprovalsModule,
    OrganizationsModule,
    BeaconsModule,
    FindingsModule,
    IdentityModule,
  ],
  providers: [
    AcceptedChecksRepository,
    AcceptedChecksOnManyRepository,
    AssetsRepository,
    DomainsRepository,
    AssetSummaryRepository,
    ObservationPlansRepository,
    ObservedAssetsRepository,
    Hostings,
    ObservationPlans,
    AcceptedChecksService,
    AcceptedChecksOnManyService,
    AssetOwners,
    AssetRules,
    AssetsService,
    BeaconAssetsService,
    ScannedAssetsService,
    ObservedAssets,
    AssetDetailsService,
    DomainsService,
    DomainVerification,
    TxtResolver,
    DomainLookups,
  ],
  exports: [
    AcceptedChecksService,
    AcceptedChecksOnManyService,
    AssetsService,
    BeaconAssetsService,
    ScannedAssetsService,
    ObservedAssets,
    AssetDetailsService,
    DomainsService,
    ObservationPlans,
    ObservedAssetsRepository,
    Hostings,
  ],
})
export class AssetsModule {}
