import { Id, Instant, OneOf, SingleLineText } from '../../../platform/http/fields';
import { TimelineQuery } from '../../../platform/http/page-query';
import type { AuditFilter } from '../data/audit-logs.repository';

export class ListAuditLogsQuery extends TimelineQuery {
  @Id({ optional: true, description: 'The id of the organization. Optional if the caller has access to exactly one.' })
  organization_id?: number;

  @Instant({ optional: true, description: 'Entries from this date on.' }, 'lower')
  start_date?: Date;

  @Instant({ optional: true, description: 'Entries until this date; a bare date includes its whole day.' }, 'upper')
  end_date?: Date;

  @SingleLineText(200, { optional: true, description: 'For example finding.status_update.' })
  operation?: string;

  @SingleLineText(200, { optional: true, description: 'For example findings.' })
  operation_category?: string;

  @OneOf(['success', 'failure'], { optional: true })
  status?: string;

  @SingleLineText(200, { optional: true, description: 'The id of the user, or of the beacon.' })
  actor_id?: string;

  @SingleLineText(200, { optional: true, description: 'For example finding.' })
  resource_type?: string;

  @SingleLineText(200, { optional: true })
  resource_id?: string;

  get filter(): Omit<AuditFilter, 'organizationId'> {
    return {
      from: this.start_date,
      to: this.end_date,
      operation: this.operation,
      operationCategory: this.operation_category,
      status: this.status,
      actorId: this.actor_id,
      resourceType: this.resource_type,
      resourceId: this.resource_id,
    };
  }
}
