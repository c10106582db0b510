import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { Instant, Text, field } from '../../../platform/http/fields';
import {
  ChoiceParameter,
  IdParameter,
  IntegerParameter,
  PageQuery,
  TextParameter,
} from '../../../platform/http/query-fields';
import { FINDING_STATUS, type FindingStatus, findingStatusLabels, isFindingStatus } from '../domain/finding-status';

export class ChangeFindingStatusRequest {
  @field({
    check: isFindingStatus,
    sentence: `must be one of: ${findingStatusLabels.join(', ')}`,
    schema: { type: 'integer', enum: Object.values(FINDING_STATUS) },
  })
  status!: FindingStatus;

  @Text(0, 2_000, { nullable: true, description: 'Why; kept in the history of the finding.' })
  comment?: string | null;

  @Instant(
    {
      nullable: true,
      description: 'With status 6 alone: when the acceptance ends, and the status that the finding has now comes back.',
    },
    'upper',
  )
  until?: Date | null;
}

export class ListFindingsQuery extends PageQuery {
  @IntegerParameter(1, 10, 'Only findings with this status.')
  status?: FindingStatus;

  @ChoiceParameter(SEVERITIES, 'Only findings of at least this severity.')
  severity?: Severity;

  @IdParameter('Only findings on this asset.')
  asset_id?: number;

  @TextParameter(200, 'A part of the title, or of the value of the asset (of a long one its beginning), in any case.')
  q?: string;

  @ChoiceParameter(['severity', 'priority'], 'The most urgent first; by default the newest.')
  sort?: 'severity' | 'priority';
}
