import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events';
import { FeedModule } from '../feed';
import { FindingsModule } from '../findings';
import { IdentityModule } from '../identity';
import { OrganizationsModule } from '../organizations';
import { RetestsModule } from '../retests';
import { WebhooksModule } from '../webhooks';
import { AcceptanceRequests } from './acceptance-requests';
import { Ticket } from './data/ticket.entity';
import { TicketsRepository } from './data/tickets.repository';
import { Tracker } from './data/tracker.entity';
import { TrackersRepository } from './data/trackers.repository';
import { TicketDecisions } from './ticket-decisions';
import { TicketFailures } from './ticket-failures';
import { TicketSteps } from './ticket-steps';
import { TicketTexts } from './ticket-texts';
import { TicketWishes } from './ticket-wishes';
import { TicketsService } from './tickets.service';
import { TrackerClients } from './tracker-clients';
import { TrackerCredentials } from './tracker-credentials';
import { TrackerHooks } from './tracker-hooks';
import { TrackerPlaces } from './tracker-places';
import { TrackerTurns } from './tracker-turns';
import { TrackersService } from './trackers.service';
import { TrackerWork } from './work/tracker-work';

@Module({
  imports: [
    TypeOrmModule.forFeature([Tracker, Ticket]),
    OrganizationsModule,
    IdentityModule,
    FindingsModule,
    EventsModule,
    RetestsModule,
    FeedModule,
    WebhooksModule,
  ],
  providers: [
    TrackersRepository,
    TicketsRepository,
    TrackerCredentials,
    TrackerClients,
    TrackerHooks,
    TrackerPlaces,
    TrackersService,
    TicketsService,
    TicketTexts,
    AcceptanceRequests,
    TicketDecisions,
    TicketFailures,
    TicketSteps,
    TicketWishes,
    TrackerTurns,
    TrackerWork,
  ],
  exports: [TrackersService, TicketsService, TrackerCredentials, TrackerHooks],
})
export class TrackersModule {}
