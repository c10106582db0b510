export { MAX_SIZED } from './domain/report-annex';
export {
  completeOptions,
  defaultReportOptions,
  FINDING_ORDERS,
  type FindingOrder,
  JOB_REPORT_FORMATS,
  type JobReportFormat,
  MAX_TEXT_LENGTH,
  noTexts,
  REPORT_KINDS,
  type ReportKind,
  type ReportTexts,
  REPORT_SECTIONS,
  type ReportFormat,
  type ReportSection,
  reportVocabulary,
} from './domain/report-options';
export { decisiveProbe, type ExcerptPart, excerptOfProbe, type ProbeExcerpt } from './rendering/evidence-excerpt';
export { historyText } from './rendering/history-text';
export { ReportsController } from './http/reports.controller';
export { ReportsModule } from './reports.module';
export { type ReportFacts, ReportDraftsService } from './report-drafts.service';
export { type ReportOrder, ReportsService } from './reports.service';
export type { ReportContents } from './domain/report-comparison';
export { attachmentOf, attachmentOfJob, previewOf } from './http/report-attachment';
export {
  type CreateReportRequest,
  JobReportQuery,
  optionsOf,
  orderOf,
  ReportOptionsRequest,
} from './http/report.requests';
export { ReportTextsRequest } from './http/report-texts.request';
export { JobReportsService } from './job-reports.service';
export type { Report } from './data/report.entity';
export type { StartedReport } from './data/reports.repository';
export { type ReportSubject, subjectKindOf } from './domain/report-subject';
export type { ReportOptions } from './domain/report-options';
