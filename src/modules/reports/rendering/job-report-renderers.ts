import type { JobReportFormat } from '../domain/report-options';
import type { ReportRenderer } from '../domain/report-snapshot';
import { CsvRenderer } from './csv/csv-renderer';
import { GitlabRenderer } from './gitlab/gitlab-renderer';
import { JsonRenderer } from './json/json-renderer';
import { JunitRenderer } from './junit/junit-renderer';
import { SarifRenderer } from './sarif/sarif-renderer';

/** The formats that are fast enough to be generated while a client waits. */
export const JOB_REPORT_RENDERERS: Readonly<Record<JobReportFormat, ReportRenderer>> = {
  json: new JsonRenderer(),
  sarif: new SarifRenderer(),
  gitlab: new GitlabRenderer(),
  junit: new JunitRenderer(),
  csv: new CsvRenderer(),
};
