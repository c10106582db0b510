import { Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { PathSlug } from '../../../platform/http/path-slug';
import { EventProgressService } from '../event-progress.service';
import { type EventProgressResponse, presentEventProgress } from './event-progress.responses';
import * as operations from './event-progress.operations';

@Controller()
export class EventProgressController {
  constructor(private readonly progress: EventProgressService) {}

  @operations.getEventProgress
  async get(@CurrentCaller() caller: Caller, @PathSlug('event_slug') slug: string): Promise<EventProgressResponse> {
    return presentEventProgress(await this.progress.read(caller.scope, slug));
  }
}
