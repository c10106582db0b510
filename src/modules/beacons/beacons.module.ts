import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BeaconAuthenticator } from '../../platform/auth/beacon-authenticator';
import { OrganizationsModule } from '../organizations';
import { BeaconReportsService } from './beacon-reports.service';
import { BeaconsService } from './beacons.service';
import { BeaconLinks } from './connections/beacon-link';
import { UnconnectedLinks } from './connections/unconnected-links';
import { Beacon } from './data/beacon.entity';
import { BeaconsRepository } from './data/beacons.repository';
import { TokenAuthenticator } from './token-authenticator';
import { MissedReports } from './work/missed-reports';

@Module({
  imports: [TypeOrmModule.forFeature([Beacon]), OrganizationsModule],
  providers: [
    BeaconsRepository,
    BeaconsService,
    BeaconReportsService,
    MissedReports,
    { provide: BeaconAuthenticator, useClass: TokenAuthenticator },
    { provide: BeaconLinks, useClass: UnconnectedLinks },
  ],
  exports: [BeaconsService, BeaconReportsService, BeaconAuthenticator, BeaconLinks],
})
export class BeaconsModule {}
