import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FindingsModule } from '../findings';
import { IdentityModule } from '../identity';
import { OrganizationsModule } from '../organizations';
import { FeedChange } from './data/feed-change.entity';
import { FeedEntry } from './data/feed-entry.entity';
import { FeedPositions } from './data/feed-positions.entity';
import { FeedRepository } from './data/feed.repository';
import { DestinationFeeding } from './destination-feeding';
import { DestinationPauses } from './destination-pauses';
import { FeedService } from './feed.service';
import { FeedWatch } from './feed-watch';
import { FeedAnswers } from './http/feed-answers';
import { OpenFeeds } from './open-feeds';
import { FeedUpkeep } from './work/feed-upkeep';

@Module({
  imports: [
    TypeOrmModule.forFeature([FeedChange, FeedEntry, FeedPositions]),
    OrganizationsModule,
    IdentityModule,
    FindingsModule,
  ],
  providers: [
    FeedRepository,
    FeedService,
    FeedWatch,
    OpenFeeds,
    FeedAnswers,
    FeedUpkeep,
    DestinationFeeding,
    DestinationPauses,
  ],
  exports: [FeedService, FeedAnswers, FeedWatch, DestinationFeeding, DestinationPauses],
})
export class FeedModule {}
