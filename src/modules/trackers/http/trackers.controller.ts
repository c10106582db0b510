import { Body, Controller, Query } from '@nestjs/common';
import { accepted, Acknowledgement, deleted } from '../../../platform/http/acknowledgement';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { TicketsService } from '../tickets.service';
import { TrackersService } from '../trackers.service';
import { ChangeTrackerRequest, changeOf, CreateTrackerRequest, draftOf } from './tracker.requests';
import { ListTicketsQuery, OpenTicketsRequest } from './ticket.requests';
import {
  OpenedTicketsResponse,
  presentTicket,
  presentTracker,
  TicketListResponse,
  TrackerListResponse,
  TrackerResponse,
} from './tracker.responses';
import * as operations from './trackers.operations';

@Controller()
export class TrackersController {
  constructor(
    private readonly trackers: TrackersService,
    private readonly tickets: TicketsService,
  ) {}

  @operations.listTrackers
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: PageQuery,
  ): Promise<PagedBody<TrackerListResponse>> {
    const page = query.slice;
    const slice = await this.trackers.list(caller, organizationId, page);
    return new PagedBody({ trackers: slice.items.map(presentTracker) }, page, slice);
  }

  @operations.createTracker
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Body() body: CreateTrackerRequest,
  ): Promise<TrackerResponse> {
    return presentTracker(await this.trackers.create(caller, organizationId, draftOf(body)));
  }

  @operations.getTracker
  async get(@InOrganization('tracker_id') { caller, organizationId, id }: RecordPlace): Promise<TrackerResponse> {
    return presentTracker(await this.trackers.get(caller, organizationId, id));
  }

  @operations.changeTracker
  async change(
    @InOrganization('tracker_id') { caller, organizationId, id }: RecordPlace,
    @Body() body: ChangeTrackerRequest,
  ): Promise<TrackerResponse> {
    return presentTracker(await this.trackers.change(caller, organizationId, id, changeOf(body)));
  }

  @operations.deleteTracker
  async delete(@InOrganization('tracker_id') { caller, organizationId, id }: RecordPlace): Promise<Acknowledgement> {
    await this.trackers.delete(caller, organizationId, id);
    return deleted('Tracker', id);
  }

  @operations.testTracker
  async test(@InOrganization('tracker_id') { caller, organizationId, id }: RecordPlace): Promise<Acknowledgement> {
    await this.trackers.sendTest(caller, organizationId, id);
    return accepted('The test is on its way.', id);
  }

  @operations.listTickets
  async listTickets(
    @InOrganization('tracker_id') { caller, organizationId, id }: RecordPlace,
    @Query() query: ListTicketsQuery,
  ): Promise<PagedBody<TicketListResponse>> {
    const page = query.slice;
    const slice = await this.tickets.list(caller, organizationId, id, query.filter, page);
    return new PagedBody({ tickets: slice.items.map(presentTicket) }, page, slice);
  }

  @operations.openTickets
  async openTickets(
    @InOrganization('tracker_id') { caller, organizationId, id }: RecordPlace,
    @Body() { finding_ids: findingIds, confirm }: OpenTicketsRequest,
  ): Promise<OpenedTicketsResponse> {
    return { tickets: await this.tickets.openMany(caller, organizationId, id, { findingIds, confirm }) };
  }
}
