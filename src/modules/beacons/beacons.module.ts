import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BeaconAuthenticator } from '../../platform/auth/beacon-authenticator';
import { IdentityModule } from '../identity';
import { OrganizationsModule } from '../organizations';
import { AgentConnections } from './connections/agent-connections';
import { BeaconLinks } from './connections/beacon-link';
import { Relay } from './connections/relay';
import { RelayLinks } from './connections/relay-links';
import { BeaconRegistrationsService } from './beacon-registrations.service';
import { BeaconReportsService } from './beacon-reports.service';
import { BeaconsService } from './beacons.service';
import { Beacon } from './data/beacon.entity';
import { BeaconConnection } from './data/beacon-connection.entity';
import { BeaconConnectionsRepository } from './data/beacon-connections.repository';
import { BeaconsRepository } from './data/beacons.repository';
import { TokenAuthenticator } from './token-authenticator';

@Module({
  imports: [TypeOrmModule.forFeature([Beacon, BeaconConnection]), OrganizationsModule, IdentityModule],
  providers: [
    BeaconsRepository,
    BeaconConnectionsRepository,
    AgentConnections,
    Relay,
    { provide: BeaconLinks, useClass: RelayLinks },
    BeaconsService,
    BeaconReportsService,
    BeaconRegistrationsService,
    { provide: BeaconAuthenticator, useClass: TokenAuthenticator },
  ],
  exports: [
    AgentConnections,
    BeaconLinks,
    Relay,
    BeaconsService,
    BeaconReportsService,
    BeaconRegistrationsService,
    BeaconAuthenticator,
  ],
})
export class BeaconsModule {}
