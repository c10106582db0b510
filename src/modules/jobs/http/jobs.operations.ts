import { ENVELOPE_TYPE } from '../../../engine';
import { operationsTagged } from '../../../platform/http/operation';
import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { PageQuery } from '../../../platform/http/page-query';
import { JobEvidenceQuery, JobSuccessQuery } from './job.requests';
import {
  JobCheckResponse,
  JobLaunchResponse,
  JobListResponse,
  JobStatusResponse,
  JobSuccessResponse,
  JobViewResponse,
} from './job.responses';

const operation = operationsTagged('CI/CD jobs');

const requestExample = { url: 'https://www.example.com/', beacon_id: null, event_slug: null };

const EXAMPLE_UUID = '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11';

const example = {
  uuid: EXAMPLE_UUID,
  url: 'https://www.example.com/',
  beacon_id: null,
  hosted_by: null,
  hosted_target: null,
  checks: null,
  depth: 'standard',
  status: 'FINISHED',
  created: '2026-01-31T12:00:00.000Z',
  started: '2026-01-31T12:00:01.000Z',
  finished: '2026-01-31T12:00:24.000Z',
};

export const checkJob = operation('POST /v1/jobs/check', {
  number: 24,
  id: 'checkJob',
  summary: 'Check whether a job can be launched for a URL',
  description:
    'An asset must cover the host, and its domain must be verified. With `beacon_id`, an asset with this beacon must cover the host, a private address needs no verified domain, and the beacon must be connected. If the job cannot be launched, `reason` says why. An unknown check is a 400.',
  role: 'viewer',
  scope: 'ci',
  body: { example: requestExample },
  success: {
    description: 'Whether it can be launched.',
    body: JobCheckResponse,
    example: { ...requestExample, valid: true },
  },
  errors: [400, 401],
});

export const launchJob = operation('POST /v1/jobs/launch', {
  number: 25,
  id: 'launchJob',
  summary: 'Launch a job for a URL',
  description:
    "Runs all applicable checks of the URL's origin, path, TLS port and DNS name, for at most 5 minutes; with `checks` only those, which may be loaded templates. With `depth` active it also tests the insertion points of the site. An organization has at most 50 unfinished jobs; beyond that the response is 422.",
  role: 'member',
  scope: 'ci',
  limit: 'launch',
  body: { example: requestExample },
  success: {
    status: 201,
    description: 'The job was launched.',
    body: JobLaunchResponse,
    example: { url: 'https://www.example.com/', uuid: EXAMPLE_UUID },
    location: (body: JobLaunchResponse) => `/v1/jobs/${body.uuid}`,
  },
  errors: [400, 401],
  otherErrors: {
    403: 'This needs the role member or above in organization 1.',
    409: 'A request with this Idempotency-Key is still in progress. Try again in a few seconds.',
    422: 'The job cannot be launched. No asset covers www.example.com: add its domain and verify it.',
  },
  audit: { operation: 'job.launch', resource: 'job' },
});

export const listJobs = operation('GET /v1/jobs', {
  id: 'listJobs',
  summary: 'List the jobs that the caller may access',
  role: 'viewer',
  scope: 'ci',
  query: PageQuery,
  success: {
    description: 'The jobs, newest first.',
    body: JobListResponse,
    example: { jobs: [example] },
    paged: true,
  },
  errors: [401, 403],
});

export const getJob = operation('GET /v1/jobs/{uuid}', {
  id: 'getJob',
  summary: 'Read a job with its findings',
  role: 'viewer',
  scope: 'ci',
  success: {
    description: 'The job.',
    body: JobViewResponse,
    example: {
      job: {
        ...example,
        position: null,
        waiting: null,
        error: null,
        findings: [{ title: 'No HSTS', severity: 'low', accepted: false }],
        incomplete_checks: [],
        refused_checks: [],
        contradictions: [],
        lanes: [],
        active: null,
      },
    },
  },
});

export const getJobStatus = operation('GET /v1/jobs/{uuid}/status', {
  id: 'getJobStatus',
  summary: 'Read the status of a job',
  role: 'viewer',
  scope: 'ci',
  limit: 'none',
  retriesWhileUnavailable: true,
  success: {
    description: 'The status.',
    body: JobStatusResponse,
    example: { status: 'PENDING' },
  },
});

export const getJobSuccess = operation('GET /v1/jobs/{uuid}/success', {
  id: 'getJobSuccess',
  summary: 'Read whether a pipeline may continue',
  description:
    'False when the job found something of at least `severity` whose finding is not set aside, when an earlier finding on the same origin is open and the job did not confirm its fix, when a check could not be completed, when the job ended in ERROR or CANCELED, and while the organization is suspended. Findings of a check that an admin accepted on their asset do not count; `accepted_checks` names each check that had such findings. With `fail` that is a 422.',
  role: 'viewer',
  scope: 'ci',
  budget: 'results',
  retriesWhileUnavailable: true,
  query: JobSuccessQuery,
  success: {
    description: 'Whether the job succeeded; null while it is unfinished.',
    body: JobSuccessResponse,
    example: {
      success: false,
      description: 'Findings of at least medium severity: 1 found by this job ("A Git repository is public").',
      accepted_checks: [],
      incomplete_checks: [],
      refused_checks: [],
      failing: 1,
      failing_findings: [
        {
          id: 4,
          title: 'A Git repository is public',
          severity: 'medium',
          proved: true,
          place: 'https://www.example.com/.git/HEAD',
          check: 'exposed-git',
          url: 'https://assay.example.com/o/1/findings/4',
        },
      ],
    },
  },
  errors: [400, 401, 403, 404, 422],
});

export const getJobEvidence = operation('GET /v1/jobs/{uuid}/evidence', {
  id: 'getJobEvidence',
  summary: 'Read the result of a job as a signed statement',
  description:
    'An in-toto Statement v1 in a DSSE envelope: what each test showed, or with `statement=gate` that a pipeline may continue. The response is a 409 if the job is not FINISHED, if no test of it applied to its URL, or if the gate has not passed. A job keeps no pages: the subject is its URL with the digest of `observed` in the statement, which does not identify what was deployed.',
  role: 'viewer',
  scope: 'ci',
  query: JobEvidenceQuery,
  success: {
    description: 'The envelope.',
    file: [ENVELOPE_TYPE],
    example: { payload: 'e30=', payloadType: 'application/vnd.in-toto+json', signatures: [] },
  },
  errors: [400, 401, 403, 404, 409, 422],
});

export const cancelJob = operation('POST /v1/jobs/{uuid}/cancel', {
  id: 'cancelJob',
  summary: 'Cancel a job',
  description:
    'A running job stops within two seconds. What it has found stays, and `success` is false. Canceling it again changes nothing.',
  role: 'member',
  scope: 'ci',
  success: {
    description: 'The job is canceled.',
    body: Acknowledgement,
    example: { code: 200, description: 'Job canceled.', id: null, success: true },
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'job.cancel', resource: 'job', id: 'uuid' },
});
