export {
  defaultReportOptions,
  JOB_REPORT_FORMATS,
  type JobReportFormat,
  REPORT_SECTIONS,
  type ReportFormat,
  type ReportSection,
  reportVocabulary,
} from './domain/report-options';
export { decisiveProbe, type ExcerptPart, excerptOfProbe, type ProbeExcerpt } from './rendering/evidence-excerpt';
export { historyText } from './rendering/history-text';
export { ReportsController } from './http/reports.controller';
export { ReportsModule } from './reports.module';
export { ReportsService } from './reports.service';
export { attachmentOf, attachmentOfJob, previewOf } from './http/report-attachment';
export {
  type CreateReportRequest,
  JobReportQuery,
  optionsOf,
  orderOf,
  ReportOptionsRequest,
} from './http/report.requests';
export { JobReportsService } from './job-reports.service';
export type { Report } from './data/report.entity';
export type { StartedReport } from './data/reports.repository';
export { type ReportSubject, subjectKindOf } from './domain/report-subject';
export type { ReportOptions } from './domain/report-options';
