import { Body, Controller } from '@nestjs/common';
import { TicketsService } from '../../modules/trackers';
import { Id, SingleLineText } from '../../platform/http/fields';
import { SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { findingUrl } from '../urls';

class TicketForm {
  @Id()
  tracker_id!: number;

  @SingleLineText(50, { nullable: true })
  key?: string | null;
}

/** The forms of a finding's ticket. */
@Controller('o/:organization/findings/:finding_id/ticket')
export class TicketFormsController {
  constructor(private readonly tickets: TicketsService) {}

  @PostChange('', { operation: 'ticket.request', resource: 'ticket' })
  async open(
    @InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>,
    @Body() { tracker_id: trackerId, key }: TicketForm,
  ): Promise<SeeOther> {
    await this.tickets.open(caller, id, { trackerId, key: key ?? undefined });
    return new SeeOther(findingUrl(organizationId, id), 'The ticket is on its way. Reload the page to see it.');
  }

  @PostChange('unlink', { operation: 'ticket.unlink', resource: 'ticket' })
  async unlink(@InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>): Promise<SeeOther> {
    await this.tickets.unlink(caller, id);
    return new SeeOther(findingUrl(organizationId, id), 'The ticket was unlinked.');
  }

  @PostChange('retry', { operation: 'ticket.retry', resource: 'ticket' })
  async retry(@InOrganization() { caller, organizationId, finding: { id } }: Place<'finding'>): Promise<SeeOther> {
    await this.tickets.retry(caller, id);
    return new SeeOther(findingUrl(organizationId, id), 'Assay looks again.');
  }
}
