import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule } from '../accounts';
import { AssetsModule } from '../assets';
import { FindingsModule } from '../findings';
import { OrganizationsModule } from '../organizations';
import { SettingsModule } from '../settings';
import { EventScope } from './data/event-scope.entity';
import { EventScopeRepository } from './data/event-scope.repository';
import { EventPicture } from './data/event-picture.entity';
import { EventPicturesRepository } from './data/event-pictures.repository';
import { Event } from './data/event.entity';
import { EventsRepository } from './data/events.repository';
import { EventFindingsService } from './event-findings.service';
import { EventPicturesService } from './event-pictures.service';
import { EventScopeService } from './event-scope.service';
import { EventsService } from './events.service';

@Module({
  imports: [
    TypeOrmModule.forFeature([Event, EventPicture, EventScope]),
    OrganizationsModule,
    SettingsModule,
    AssetsModule,
    AccountsModule,
    FindingsModule,
  ],
  providers: [
    EventsRepository,
    EventPicturesRepository,
    EventScopeRepository,
    EventsService,
    EventPicturesService,
    EventScopeService,
    EventFindingsService,
  ],
  exports: [EventsService, EventPicturesService, EventScopeService, EventFindingsService],
})
export class EventsModule {}
