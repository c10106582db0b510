import { Operation } from '../../../platform/http/operation';
import { Acknowledgement, accepted } from '../../../platform/http/acknowledgement';
import { PageQuery } from '../../../platform/http/page-query';
import { defaultReportOptions, JOB_REPORT_FORMATS } from '../domain/report-options';
import { FORMATS } from '../rendering/formats';
import { JobReportQuery } from './report.requests';
import { ReportListResponse, ReportResponse } from './report.responses';

const example: ReportResponse = {
  id: 3,
  generation_date: null,
  start_date: '2026-01-01T00:00:00.000Z',
  end_date: '2026-01-31T23:59:59.999Z',
  created: '2026-02-01T09:00:00.000Z',
  options: defaultReportOptions,
  subject: 'event',
  organization_id: 7,
  event_id: 5,
  job_uuid: null,
  error: null,
  notice: null,
};

export const GENERATING = 'The report is being generated.';

const creation = {
  status: 202,
  description: 'The report was created and will be generated.',
  body: Acknowledgement,
  example: accepted(GENERATING, 3),
  location: ({ id }: Acknowledgement) => `/v1/reports/${id}/`,
} as const;

const JOB_CONTENT_TYPES = [...new Set(JOB_REPORT_FORMATS.map((format) => FORMATS[format].contentType))];
const CONTENT_TYPES = [...new Set(Object.values(FORMATS).map(({ contentType }) => contentType))];

export const listReports = Operation('GET /v1/reports/', {
  id: 'listReports',
  tag: 'Reports',
  summary: 'List the reports that the caller may access',
  role: 'viewer',
  query: PageQuery,
  success: {
    description: 'The reports, newest first.',
    body: ReportListResponse,
    example: { reports: [example] },
    paged: true,
  },
  errors: [401, 403],
});

export const getReport = Operation('GET /v1/reports/{report_id}/', {
  number: 22,
  id: 'getReport',
  tag: 'Reports',
  summary: 'Read the record of a report',
  role: 'viewer',
  success: { description: 'The report.', body: ReportResponse, example },
});

export const downloadReport = Operation('GET /v1/reports/{report_id}/download', {
  number: 23,
  id: 'downloadReport',
  tag: 'Reports',
  summary: 'Download a report',
  description:
    'The file in the format of its options, as an attachment. It never changes; later changes to findings appear in the next report. While the report is being generated, or if that failed, the response is a 409.',
  role: 'viewer',
  success: {
    description: 'The file.',
    file: CONTENT_TYPES,
    example: { schema: 'assay/report/1', report_id: 3 },
  },
  errors: [401, 403, 404, 409],
});

export const createReport = Operation('POST /v1/events/{event_slug}/reports/', {
  id: 'createReport',
  tag: 'Reports',
  summary: 'Generate a report of an event',
  description:
    'A worker generates the report from a snapshot. Poll the report until `generation_date` or `error` is set, then download it. An organization has at most 20 unfinished reports; beyond that the response is 422.',
  role: 'member',
  body: {
    example: {
      options: { format: 'sarif', min_severity: 'low', include_resolved: false },
      start_date: '2026-01-01T00:00:00Z',
      end_date: '2026-01-31T23:59:59Z',
    },
  },
  success: creation,
  errors: [400, 401, 403, 404, 422],
  audit: { operation: 'report.create', resource: 'report' },
});

export const createOrganizationReport = Operation('POST /v1/organizations/{organization_id}/reports/', {
  id: 'createOrganizationReport',
  tag: 'Reports',
  summary: 'Generate a report of an organization',
  description: 'With all findings, assets and events of the organization. Otherwise like a report of an event.',
  role: 'member',
  body: { example: { options: { format: 'csv', statuses: [1, 2, 3, 4] } } },
  success: creation,
  errors: [400, 401, 403, 404, 422],
  audit: { operation: 'report.create', resource: 'report' },
});

export const createJobReport = Operation('POST /v1/jobs/{uuid}/reports/', {
  id: 'createJobReport',
  tag: 'Reports',
  summary: 'Generate a report of a job',
  description:
    'With the target, the tests, their coverage, the result for pipelines, and the findings that the job saw. Otherwise like a report of an event. While the job is unfinished, and if it was canceled, the response is a 409.',
  role: 'member',
  body: { example: { options: { format: 'pdf' } } },
  success: creation,
  errors: [400, 401, 403, 404, 409, 422],
  audit: { operation: 'report.create', resource: 'report' },
});

export const getJobReport = Operation('GET /v1/jobs/{uuid}/report', {
  id: 'getJobReport',
  tag: 'CI/CD jobs',
  summary: 'Download the report of a job for a pipeline',
  description:
    'Generated at once, as an attachment. The bytes are the same until the status of a finding changes. SARIF and GitLab reports contain only open findings. While the job is unfinished, the response is a 409 with `Retry-After`; a job that did not finish has no report.',
  role: 'viewer',
  scope: 'ci',
  retriesWhileUnavailable: true,
  query: JobReportQuery,
  success: {
    description: 'The file.',
    file: JOB_CONTENT_TYPES,
    example: { schema: 'assay/report/1', subject: 'job' },
  },
  errors: [400, 401, 403, 404, 409, 422],
});
