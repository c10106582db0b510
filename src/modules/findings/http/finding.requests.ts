import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { Id, Instant, Integer, OneOf, SingleLineText, Text } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';
import { FINDING_STATUS, type FindingStatus, FINDING_STATUS_LABELS } from '../domain/finding-status';

export class ChangeFindingStatusRequest {
  @OneOf(Object.values(FINDING_STATUS), { labels: FINDING_STATUS_LABELS })
  status!: FindingStatus;

  @Text(0, 2_000, { nullable: true, description: 'The reason. It is stored in the history of the finding.' })
  comment?: string | null;

  @Instant(
    {
      nullable: true,
      description:
        'Only with status 6: the last day of the acceptance. Afterwards the finding gets its current status again.',
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
    description:
      'A substring of the title or of the asset value, case-insensitive. Of a long asset value only the beginning is searched.',
  })
  q?: string;

  @OneOf(['severity', 'priority'], { optional: true, description: 'The sort order. By default the newest first.' })
  sort?: 'severity' | 'priority';
}
