import { Shown } from '../../../platform/api/shown';
import type { Report } from '../data/report.entity';

export class ReportResponse {
  @Shown.integer()
  id!: number;

  @Shown.instant({ nullable: true, description: 'Null until the report can be downloaded.' })
  generation_date!: string | null;

  @Shown.instant()
  start_date!: string;

  @Shown.instant()
  end_date!: string;

  @Shown.instant()
  created!: string;

  @Shown.object({
    description: 'format, sections, min_severity, statuses, include_evidence, include_resolved.',
  })
  options!: object;

  @Shown.integer()
  event_id!: number;

  @Shown.string({ nullable: true, description: 'The reason why the report could not be generated.' })
  error!: string | null;
}

export class ReportListResponse {
  @Shown.list(ReportResponse)
  reports!: ReportResponse[];
}

export const presentReport = (report: Report): ReportResponse => ({
  id: report.id,
  generation_date: report.generationDate?.toISOString() ?? null,
  start_date: report.startDate.toISOString(),
  end_date: report.endDate.toISOString(),
  created: report.created.toISOString(),
  options: report.options,
  event_id: report.eventId,
  error: report.error,
});
