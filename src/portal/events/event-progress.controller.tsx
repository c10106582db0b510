import { Body, Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { EventsService } from '../../modules/events';
import { EventProgressService } from '../../modules/machine-events';
import { Scope } from '../../platform/api/scope';
import { PageQuery } from '../../platform/http/page-query';
import { Fragment, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { LiveStreams } from '../live/live-streams';
import { eventUrl } from '../urls';
import { isFollowed, ProgressOfEvent, ProgressPart } from './event-progress';
import { EventReader } from './event-reader';
import { AutomationForm } from './events.requests';

@Controller('o/:organization/events/:event_slug')
export class EventProgressPageController {
  constructor(
    private readonly reader: EventReader,
    private readonly events: EventsService,
    private readonly progress: EventProgressService,
    private readonly streams: LiveStreams,
  ) {}

  /** The part of the page that changes, for a page that is shown already. */
  @Get('live')
  async live(@InOrganization() place: Place<'event'>, @Query() { slice: page }: PageQuery): Promise<Fragment> {
    return new Fragment(<ProgressOfEvent view={await this.reader.read(place, page)} />);
  }

  @Get('progress')
  follow(
    @InOrganization() { organizationId, event: { slug } }: Place<'event'>,
    @Req() request: PortalRequest,
    @Res() response: Response,
  ): void {
    const scope = Scope.organizations([organizationId]);
    this.streams.open(request, response, {
      key: `event ${slug}`,
      organizationId,
      read: async () => {
        const state = await this.progress.read(scope, slug);
        // It counts observations, which have no entries in the feed.
        return { state, isOver: !isFollowed(state), isMoving: true };
      },
      render: (progress) => <ProgressPart organizationId={organizationId} progress={progress} />,
    });
  }

  @PostChange('automation', { operation: 'event.change', resource: 'event', id: 'event_slug' })
  async changeAutomation(
    @InOrganization() { caller, organizationId, event: { slug } }: Place<'event'>,
    @Body() { change }: AutomationForm,
  ): Promise<SeeOther> {
    await this.events.change(caller, slug, change);
    return new SeeOther(eventUrl(organizationId, slug));
  }
}
