import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, deleted } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { PagedBody } from '../../../platform/http/paged-body';
import { PageQuery } from '../../../platform/http/page-query';
import { PathId } from '../../../platform/http/path-id';
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
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Query() query: PageQuery,
  ): Promise<PagedBody<ScheduleListResponse>> {
    const page = query.slice;
    const slice = await this.schedules.list(caller, organizationId, page);
    return new PagedBody({ schedules: slice.items.map(presentSchedule) }, page, slice);
  }

  @operations.createSchedule
  async create(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Body() body: CreateScheduleRequest,
  ): Promise<ScheduleDetailsResponse> {
    return presentDetails(await this.schedules.create(caller, organizationId, draftOf(body)));
  }

  @operations.previewSchedule
  async preview(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Body() body: CreateScheduleRequest,
  ): Promise<NextRunsResponse> {
    return { next_runs: await this.schedules.preview(caller, organizationId, draftOf(body)) };
  }

  @operations.getSchedule
  async get(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('schedule_id') id: number,
  ): Promise<ScheduleDetailsResponse> {
    return presentDetails(await this.schedules.read(caller, organizationId, id));
  }

  @operations.changeSchedule
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('schedule_id') id: number,
    @Body() body: ChangeScheduleRequest,
  ): Promise<ScheduleDetailsResponse> {
    return presentDetails(await this.schedules.change(caller, organizationId, id, changeOf(body)));
  }

  @operations.confirmSchedule
  async confirm(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('schedule_id') id: number,
  ): Promise<ScheduleDetailsResponse> {
    return presentDetails(await this.schedules.confirm(caller, organizationId, id));
  }

  @operations.deleteSchedule
  async delete(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('schedule_id') id: number,
  ): Promise<Acknowledgement> {
    await this.schedules.delete(caller, organizationId, id);
    return deleted('Schedule', id);
  }
}
