import { SEVERITIES, type Severity, severityNumber } from '../../../kernel/severity';
import { Id, Instant, Integer, OneOf, SingleLineText, Text } from '../../../platform/http/fields';
import { PageQuery, type SortValue } from '../../../platform/http/page-query';
import type { FindingFilter, FindingOrder } from '../data/findings.repository';
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

/** For the findings of an organization and of an event. */
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

  get filter(): FindingFilter {
    return {
      status: this.status,
      minSeverity: this.severity && severityNumber(this.severity),
      assetId: this.asset_id,
      searchText: this.q,
    };
  }

  get order(): FindingOrder {
    return this.sort ?? 'newest';
  }

  override get sortValues(): readonly SortValue[] {
    return this.sort === undefined ? ['integer'] : ['integer', 'integer'];
  }
}
