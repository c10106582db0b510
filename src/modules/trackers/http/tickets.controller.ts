import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { PathId } from '../../../platform/http/path-id';
import { TicketsService } from '../tickets.service';
import { OpenTicketRequest } from './ticket.requests';
import { presentTicket, TicketResponse } from './tracker.responses';
import * as operations from './trackers.operations';

@Controller()
export class TicketsController {
  constructor(private readonly tickets: TicketsService) {}

  @operations.getTicket
  async get(@CurrentCaller() caller: Caller, @PathId('finding_id') findingId: number): Promise<TicketResponse> {
    return presentTicket(await this.tickets.get(caller.scope, findingId));
  }

  @operations.openTicket
  async open(
    @CurrentCaller() caller: Caller,
    @PathId('finding_id') findingId: number,
    @Body() { tracker_id: trackerId, key }: OpenTicketRequest,
  ): Promise<TicketResponse> {
    return presentTicket(await this.tickets.open(caller, findingId, { trackerId, key }));
  }

  @operations.unlinkTicket
  async unlink(@CurrentCaller() caller: Caller, @PathId('finding_id') findingId: number): Promise<Acknowledgement> {
    await this.tickets.unlink(caller, findingId);
    return done('The ticket was unlinked.', findingId);
  }

  @operations.retryTicket
  async retry(@CurrentCaller() caller: Caller, @PathId('finding_id') findingId: number): Promise<TicketResponse> {
    return presentTicket(await this.tickets.retry(caller, findingId));
  }
}
