import { Body, Controller, Query } from '@nestjs/common';
import { Acknowledgement, deleted } from '../../../platform/http/acknowledgement';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { SchedulesService } from '../schedules.service';
import { ChangeScheduleRequest, changeOf, CreateScheduleRequest, draftOf } from './schedule.requests';
import {
  NextRunsResponse,
  presentDetails,
  presentSchedule,
  ScheduleDetailsResponse,
  ScheduleListResponse,
} from './schedule.responses';
import * as operations from './schedules.operations';

@Controller()
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @operations.listSchedules
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: PageQuery,
  ): Promise<PagedBody<ScheduleListResponse>> {
    const page = query.slice;
    const slice = await this.schedules.list(caller, organizationId, page);
    return new PagedBody({ schedules: slice.items.map(presentSchedule) }, page, slice);
  }

  @operations.createSchedule
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Body() body: CreateScheduleRequest,
  ): Promise<ScheduleDetailsResponse> {
    return presentDetails(await this.schedules.create(caller, organizationId, draftOf(body)));
  }

  @operations.previewSchedule
  async preview(
    @InOrganization() { caller, organizationId }: Place,
    @Body() body: CreateScheduleRequest,
  ): Promise<NextRunsResponse> {
    return { next_runs: await this.schedules.preview(caller, organizationId, draftOf(body)) };
  }

  @operations.getSchedule
  async get(
    @InOrganization('schedule_id') { caller, organizationId, id }: RecordPlace,
  ): Promise<ScheduleDetailsResponse> {
    return presentDetails(await this.schedules.read(caller, organizationId, id));
  }

  @operations.changeSchedule
  async change(
    @InOrganization('schedule_id') { caller, organizationId, id }: RecordPlace,
    @Body() body: ChangeScheduleRequest,
  ): Promise<ScheduleDetailsResponse> {
    return presentDetails(await this.schedules.change(caller, organizationId, id, changeOf(body)));
  }

  @operations.confirmSchedule
  async confirm(
    @InOrganization('schedule_id') { caller, organizationId, id }: RecordPlace,
  ): Promise<ScheduleDetailsResponse> {
    return presentDetails(await this.schedules.confirm(caller, organizationId, id));
  }

  @operations.deleteSchedule
  async delete(@InOrganization('schedule_id') { caller, organizationId, id }: RecordPlace): Promise<Acknowledgement> {
    await this.schedules.delete(caller, organizationId, id);
    return deleted('Schedule', id);
  }
}
