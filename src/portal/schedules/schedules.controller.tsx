import { Body, Controller, Get, Query, Req } from '@nestjs/common';
import { SchedulesService } from '../../modules/schedules';
import { PageQuery } from '../../platform/http/page-query';
import { PathId } from '../../platform/http/path-id';
import { NewLink } from '../frame/new-link';
import { Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place, RecordPlace } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { newScheduleUrl, schedulesUrl, scheduleUrl } from '../urls';
import { NewSchedulePage } from './schedule-form';
import { SchedulePage } from './schedule-page';
import { ScheduleReader } from './schedule-reader';
import { SchedulesPage } from './schedules-page';
import { ScheduleForm, ScheduleQuery } from './schedules.requests';

@Controller('o/:organization/schedules')
export class SchedulesPageController {
  constructor(
    private readonly reader: ScheduleReader,
    private readonly schedules: SchedulesService,
  ) {}

  @Get()
  async list(
    @InOrganization() place: Place,
    @Query() { slice: page }: PageQuery,
    @Req() { originalUrl: url }: PortalRequest,
  ): Promise<Page> {
    const slice = await this.schedules.list(place.caller, place.organizationId, page);
    const choices = await this.reader.choices(place);
    return new Page('Schedules', <SchedulesPage {...{ slice, choices, page, url }} />, 'schedules', {
      actions: choices.mayChange && <NewLink href={newScheduleUrl(choices.organizationId)} label="New schedule" />,
    });
  }

  /** The form as it was filled, with the next runs, before it is saved. */
  @Get('new')
  async preview(@InOrganization() place: Place, @Query() form: ScheduleQuery): Promise<Page> {
    const choices = await this.reader.choices(place);
    const preview = await this.reader.preview(place, form);
    return new Page('New schedule', <NewSchedulePage {...{ choices, form, preview }} />, 'schedules');
  }

  @PostChange('', { operation: 'schedule.create', resource: 'schedule' })
  async create(@InOrganization() place: Place, @Body() form: ScheduleForm): Promise<SeeOther> {
    const { caller, organizationId } = place;
    const draft = await this.reader.draft(place, form);
    const { schedule } = await this.schedules.create(caller, organizationId, draft);
    return new SeeOther(scheduleUrl(organizationId, schedule.id));
  }

  @Get(':schedule_id')
  async show(@InOrganization() place: Place, @PathId('schedule_id') id: number): Promise<Page> {
    const view = await this.reader.read(place, id);
    return new Page(view.details.schedule.name, <SchedulePage view={view} />, 'schedules');
  }

  @PostChange(':schedule_id', { operation: 'schedule.change', resource: 'schedule', id: 'schedule_id' })
  async change(
    @InOrganization() place: Place,
    @PathId('schedule_id') id: number,
    @Body() form: ScheduleForm,
  ): Promise<SeeOther> {
    const { caller, organizationId } = place;
    await this.schedules.change(caller, organizationId, id, await this.reader.draft(place, form));
    return new SeeOther(scheduleUrl(organizationId, id));
  }

  @PostChange(':schedule_id/pause', { operation: 'schedule.change', resource: 'schedule', id: 'schedule_id' })
  async pause(@InOrganization('schedule_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.schedules.change(caller, organizationId, id, { status: 'paused' });
    return new SeeOther(scheduleUrl(organizationId, id));
  }

  /** Also resumes a paused one. */
  @PostChange(':schedule_id/confirm', { operation: 'schedule.confirm', resource: 'schedule', id: 'schedule_id' })
  async confirm(@InOrganization('schedule_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.schedules.confirm(caller, organizationId, id);
    return new SeeOther(scheduleUrl(organizationId, id));
  }

  @PostChange(':schedule_id/delete', { operation: 'schedule.delete', resource: 'schedule', id: 'schedule_id' })
  async delete(@InOrganization('schedule_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.schedules.delete(caller, organizationId, id);
    return new SeeOther(schedulesUrl(organizationId));
  }
}
