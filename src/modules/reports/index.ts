export { type ReportFormat, defaultReportOptions, reportVocabulary } from './domain/report-options';
export { ReportsController } from './http/reports.controller';
export { ReportsModule } from './reports.module';
export { ReportsService } from './reports.service';
