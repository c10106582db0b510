import { Controller, Get, Post } from '@nestjs/common';
import { ObservationSettings } from '../../modules/observations';
import { ScheduleOverview } from '../../modules/schedules';
import { WebhooksService } from '../../modules/webhooks';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { Changes } from '../http/route-metadata';
import { homeUrl } from '../urls';
import { attentionCount, HomePage } from './home-page';
import { HomeReader } from './home-reader';
import { PausedWebhooks } from './paused-webhooks';
import { SchedulesCard } from './schedules-card';
import { ThisWeek } from './this-week';
import { WeekReader } from './week-reader';

@Controller('o/:organization')
export class HomeController {
  constructor(
    private readonly reader: HomeReader,
    private readonly week: WeekReader,
    private readonly observation: ObservationSettings,
    private readonly schedules: ScheduleOverview,
    private readonly webhooks: WebhooksService,
  ) {}

  @Get()
  async show(@InOrganization() place: Place): Promise<Page> {
    const view = await this.reader.read(place.caller, place.organizationId);
    const week = await this.week.read(place);
    const { organizationId } = place;
    const overview = await this.schedules.of(place.caller, organizationId);
    const webhooks = await this.webhooks.listStopped(place.caller, organizationId);
    const body = (
      <>
        <HomePage view={view} />
        <PausedWebhooks {...{ organizationId, webhooks }} />
        <SchedulesCard {...{ organizationId, overview }} />
        <ThisWeek view={week} />
      </>
    );
    return new Page('Home', body, 'home', { tabTitle: `Home (${attentionCount(view)})` });
  }

  @Post('observation')
  @Changes({ operation: 'settings.observation_change', resource: 'settings' })
  async turnOnObservation(@InOrganization() { caller, organizationId }: Place): Promise<SeeOther> {
    await this.observation.turnOn(caller, organizationId);
    return new SeeOther(homeUrl(organizationId), 'Observation was turned on. The first round takes a week.');
  }
}
