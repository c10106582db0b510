import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { Id, Instant, Integer, OneOf, SingleLineText, Text } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';
import { FINDING_STATUS, type FindingStatus, findingStatusLabels } from '../domain/finding-status';

export class ChangeFindingStatusRequest {
  @OneOf(Object.values(FINDING_STATUS), { shown: findingStatusLabels })
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
  @Integer(1, 10, { optional: true, description: 'Only findings with this status.' })
  status?: FindingStatus;

  @OneOf(SEVERITIES, { optional: true, description: 'Only findings of at least this severity.' })
  severity?: Severity;

  @Id({ optional: true, description: 'Only findings on this asset.' })
  asset_id?: number;

  @SingleLineText(200, {
    optional: true,
    description: 'A part of the title, or of the value of the asset (of a long one its beginning), in any case.',
  })
  q?: string;

  @OneOf(['severity', 'priority'], { optional: true, description: 'The most urgent first; by default the newest.' })
  sort?: 'severity' | 'priority';
}
