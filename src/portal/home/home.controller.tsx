import { Controller, Get, Post } from '@nestjs/common';
import { EventOverview } from '../../modules/machine-events';
import { ObservationSettings } from '../../modules/observations';
import { OrganizationsService } from '../../modules/organizations';
import { ScheduleOverview } from '../../modules/schedules';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { Changes, PostChange } from '../http/route-metadata';
import { homeUrl } from '../urls';
import { attentionCount, HomePage } from './home-page';
import { HomeReader } from './home-reader';
import { SchedulesPart } from './schedules-part';
import { ThisWeek } from './this-week';
import { WeekReader } from './week-reader';

@Controller('o/:organization')
export class HomeController {
  constructor(
    private readonly reader: HomeReader,
    private readonly weeks: WeekReader,
    private readonly observation: ObservationSettings,
    private readonly schedules: ScheduleOverview,
    private readonly events: EventOverview,
    private readonly organizations: OrganizationsService,
  ) {}

  @Get()
  async show(@InOrganization() place: Place): Promise<Page> {
    const { caller, organizationId } = place;
    const [view, week, overview, events] = await Promise.all([
      this.reader.read(place),
      this.weeks.read(place),
      this.schedules.of(caller, organizationId),
      this.events.of(caller.scope, organizationId),
    ]);
    const beside = (
      <ThisWeek view={week} counts={view.counts}>
        <SchedulesPart {...{ organizationId, overview, events }} />
      </ThisWeek>
    );
    const tabTitle = `Home (${attentionCount(view)})`;
    return new Page('Home', <HomePage view={view} week={beside} />, 'home', { tabTitle });
  }

  @PostChange('observation', { operation: 'settings.observation_change', resource: 'settings' })
  async turnOnObservation(@InOrganization() { caller, organizationId }: Place): Promise<SeeOther> {
    await this.observation.turnOn(caller, organizationId);
    return new SeeOther(homeUrl(organizationId), 'Observation was turned on. The first round takes a week.');
  }

  @Post('checklist/end')
  @Changes({ operation: 'organization.end_checklist', resource: 'organization', id: 'organization' })
  async endChecklist(@InOrganization() { caller, organizationId }: Place): Promise<SeeOther> {
    await this.organizations.endChecklist(caller, organizationId);
    return new SeeOther(homeUrl(organizationId));
  }
}
