export { type ReportFormat, defaultReportOptions, reportVocabulary } from './domain/report-options';
export { decisiveProbe, type ExcerptPart, excerptOfProbe } from './rendering/evidence-excerpt';
export { historyText } from './rendering/history-text';
export { ReportsController } from './http/reports.controller';
export { ReportsModule } from './reports.module';
export { ReportsService } from './reports.service';
