import { presented, ResponseField } from '../../../platform/api/response-field';
import type { Report } from '../data/report.entity';
import { REPORT_SUBJECTS, type ReportSubjectKind, subjectKindOf } from '../domain/report-subject';

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
    description: 'As in the order, with their defaults.',
  })
  options!: object;

  @ResponseField.string({ enum: REPORT_SUBJECTS })
  subject!: ReportSubjectKind;

  @ResponseField.integer()
  organization_id!: number;

  @ResponseField.integer({ nullable: true, description: 'The event, if it is the subject.' })
  event_id!: number | null;

  @ResponseField.string({ nullable: true, description: 'The job, if it is the subject.' })
  job_uuid!: string | null;

  @ResponseField.string({ nullable: true, description: 'The reason why the report could not be generated.' })
  error!: string | null;

  @ResponseField.string({ nullable: true, description: 'What the generated file lacks, and how to add it.' })
  notice!: string | null;
}

export class ReportListResponse {
  @ResponseField.list(ReportResponse)
  reports!: ReportResponse[];
}

export const presentReport = (report: Report): ReportResponse =>
  presented(ReportResponse, report, { subject: subjectKindOf(report) });
