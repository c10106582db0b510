import { Flag, Id, Integer, OneOf, SingleLineText } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';
import { FindingIds } from '../../findings';
import type { TicketFilter } from '../data/tickets.repository';
import { TICKET_STATES, type TicketState } from '../domain/ticket-states';

/** In one request. */
const MAX_FINDINGS = 1_000;

export class ListTicketsQuery extends PageQuery {
  @OneOf(TICKET_STATES, { optional: true })
  state?: TicketState;

  @Flag({ optional: true, description: 'Only those whose last step failed, or only the others.' })
  failing?: boolean;

  get filter(): TicketFilter {
    const { state, failing: isFailing } = this;
    return { ...(state && { state }), ...(isFailing !== undefined && { isFailing }) };
  }
}

export class OpenTicketRequest {
  @Id({ optional: true, description: 'May be omitted if only one tracker is active.' })
  tracker_id?: number;

  @SingleLineText(50, {
    optional: true,
    description: 'Of an existing ticket, such as SEC-12 or 12.',
    example: 'SEC-12',
  })
  key?: string;
}

export class OpenTicketsRequest {
  @FindingIds(MAX_FINDINGS)
  finding_ids!: number[];

  @Integer(0, MAX_FINDINGS, {
    optional: true,
    description:
      'How many tickets are opened. Without it, or with another number, the response says it, and opens none.',
  })
  confirm?: number;
}
