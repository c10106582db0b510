import { ResponseField } from '../../../platform/api/response-field';
import type { Report } from '../data/report.entity';

export class ReportResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.instant({ nullable: true, description: 'Null until the report can be downloaded.' })
  generation_date!: string | null;

  @ResponseField.instant()
  start_date!: string;

  @ResponseField.instant()
  end_date!: string;

  @ResponseField.instant()
  created!: string;

  @ResponseField.object({
    description: 'format, sections, min_severity, statuses, include_evidence, include_resolved, title_page.',
  })
  options!: object;

  @ResponseField.integer()
  event_id!: number;

  @ResponseField.string({ nullable: true, description: 'The reason why the report could not be generated.' })
  error!: string | null;
}

export class ReportListResponse {
  @ResponseField.list(ReportResponse)
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
