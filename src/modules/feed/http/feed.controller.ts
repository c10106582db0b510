import { Controller, Query, Req } from '@nestjs/common';
import type { ApiRequest } from '../../../platform/api/api-request';
import { InOrganization, type Place } from '../../../platform/http/in-organization';
import { Disconnected } from '../../../platform/http/disconnected';
import type { EventStream } from '../../../platform/http/event-stream';
import { FeedAnswers } from './feed-answers';
import * as operations from './feed.operations';
import { ReadFeedQuery } from './feed.requests';
import type { FeedResponse } from './feed.responses';

@Controller()
export class FeedController {
  constructor(private readonly answers: FeedAnswers) {}

  @operations.readFeed
  read(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: ReadFeedQuery,
    @Req() request: ApiRequest,
    @Disconnected() signal: AbortSignal,
  ): Promise<FeedResponse | EventStream> {
    return this.answers.answer({ caller, organizationId, query, request, signal });
  }
}
