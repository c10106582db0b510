import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BeaconAuthenticator } from '../../platform/auth/beacon-authenticator';
import { OrganizationsModule } from '../organizations';
import { BeaconReportsService } from './beacon-reports.service';
import { BeaconsService } from './beacons.service';
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
  ],
  exports: [BeaconsService, BeaconReportsService, BeaconAuthenticator],
})
export class BeaconsModule {}
