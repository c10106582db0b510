import { Body, Controller, Get } from '@nestjs/common';
import type { VNode } from 'preact';
import { EventsService } from '../../modules/events';
import { TicketsService, type Tracker, TRACKER_LABELS, TrackersService } from '../../modules/trackers';
import { DestinationPages } from '../destinations/destination-pages';
import { People } from '../findings/people';
import { Page, type SeeOther } from '../frame/page';
import { Settings } from '../frame/settings-tabs';
import { InOrganization } from '../http/in-organization';
import type { Place, RecordPlace } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { NewTrackerPage } from './tracker-form';
import { TrackerPage } from './tracker-page';
import { TrackerForm } from './trackers.requests';

const SHOWN_TICKETS = 50;

@Controller('o/:organization/trackers')
export class TrackersPageController extends DestinationPages<Tracker>({
  noun: 'tracker',
  purpose:
    'A tracker opens tickets for findings in Jira, GitHub or GitLab, and closes them when a test proves the fix.',
  columns: [
    { label: 'Where', class: 'nowrap', cell: ({ kind }) => TRACKER_LABELS[kind].label },
    { label: 'Project', dir: 'auto', cell: ({ project }) => project },
  ],
}) {
  constructor(
    protected readonly destinations: TrackersService,
    private readonly tickets: TicketsService,
    protected readonly events: EventsService,
    protected readonly people: People,
  ) {
    super();
  }

  @Get('new')
  async form(@InOrganization() place: Place): Promise<Page> {
    const { caller, organizationId } = place;
    caller.requireRole('admin', organizationId);
    const choices = await this.choicesFor(place);
    return new Page('New tracker', <NewTrackerPage {...{ organizationId, choices }} />, 'settings');
  }

  @PostChange('', { operation: 'tracker.create', resource: 'tracker' })
  async create(@InOrganization() { caller, organizationId }: Place, @Body() form: TrackerForm): Promise<SeeOther> {
    const { id } = await this.destinations.create(caller, organizationId, form.draft);
    return this.shown({ organizationId, id }, 'The tracker was created, and is being tested. Then resume it.');
  }

  @Get(':tracker_id')
  async show(@InOrganization('tracker_id') place: RecordPlace): Promise<Page> {
    const { caller, organizationId, id } = place;
    const tracker = await this.destinations.get(caller, organizationId, id);
    const page = { page: 1, perPage: SHOWN_TICKETS };
    const tickets = await this.tickets.list(caller, organizationId, id, {}, page);
    const choices = await this.choicesFor(place);
    return new Page(tracker.name, <TrackerPage {...{ tracker, choices, tickets }} />, 'settings');
  }

  @PostChange(':tracker_id', { operation: 'tracker.change', resource: 'tracker', id: 'tracker_id' })
  async change(
    @InOrganization('tracker_id') { caller, organizationId, id }: RecordPlace,
    @Body() form: TrackerForm,
  ): Promise<SeeOther> {
    await this.destinations.change(caller, organizationId, id, form.change);
    return this.shown({ organizationId, id }, 'The tracker was changed.');
  }

  protected override framed(list: VNode): VNode {
    return <Settings current="trackers">{list}</Settings>;
  }

  protected sendTest({ caller, organizationId, id }: RecordPlace): Promise<void> {
    return this.destinations.sendTest(caller, organizationId, id);
  }
}
