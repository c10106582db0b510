import {
  ChoiceParameter,
  IdParameter,
  InstantParameter,
  TextParameter,
  TimelineQuery,
} from '../../../platform/http/query-fields';

export class ListAuditLogsQuery extends TimelineQuery {
  @IdParameter('The organization; detected when the caller can see exactly one.')
  organization_id?: number;

  @InstantParameter('lower', 'Entries from this date on.')
  start_date?: Date;

  @InstantParameter('upper', 'Entries until this date; a bare date includes its whole day.')
  end_date?: Date;

  @TextParameter(200, 'For example finding.status_update.')
  operation?: string;

  @TextParameter(200, 'For example findings.')
  operation_category?: string;

  @ChoiceParameter(['success', 'failure'])
  status?: string;

  @TextParameter(200, 'The id of the user, or of the beacon.')
  actor_id?: string;

  @TextParameter(200, 'For example finding.')
  resource_type?: string;

  @TextParameter(200)
  resource_id?: string;
}
