import { ENVELOPE_TYPE } from '../../../engine';
import { Operation } from '../../../platform/http/operation';
import { RetestEvidenceQuery } from './retest.requests';
import {
  canceledExample,
  evidenceExample,
  finishedExample,
  givenVerdictExample,
  pendingExample,
  RetestEvidenceResponse,
  RetestResponse,
} from './retest.responses';

const START_DESCRIPTION =
  'Runs the check of the finding again on its target, in the background; without a check it waits for a verdict by hand. A finding has one unfinished retest at most, and an organization 200; beyond that the response is 422.';

const started = {
  status: 202,
  description: 'The retest is pending.',
  body: RetestResponse,
  example: pendingExample,
} as const;
const last = { status: 200, description: 'The last retest.', body: RetestResponse, example: finishedExample } as const;

export const startRetest = Operation('POST /v1/findings/{finding_id}/retest/', {
  number: 3,
  id: 'startRetest',
  tag: 'Findings',
  summary: 'Start a retest of a finding',
  description: `${START_DESCRIPTION} No event scope applies, even if events have seen the finding.`,
  role: 'member',
  limit: 'retest',
  success: { ...started, location: (_body, { finding_id }) => `/v1/findings/${finding_id}/retest/` },
  errors: [401, 403, 404, 409],
  audit: { operation: 'retest.start', resource: 'retest' },
});

export const getRetest = Operation('GET /v1/findings/{finding_id}/retest/', {
  number: 4,
  id: 'getRetest',
  tag: 'Findings',
  summary: 'Read the last retest of a finding',
  role: 'viewer',
  success: last,
  errors: [401, 403, 404, 409],
});

export const startEventRetest = Operation('POST /v1/events/{event_slug}/findings/{finding_id}/retest', {
  number: 6,
  id: 'startEventRetest',
  tag: 'Events',
  summary: 'Start a retest of a finding of an event',
  description: `${START_DESCRIPTION} The event must have seen the finding and be running or retesting, and its scope must include the target.`,
  role: 'member',
  limit: 'retest',
  success: {
    ...started,
    location: (_body, { event_slug, finding_id }) => `/v1/events/${event_slug}/findings/${finding_id}/retest`,
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'retest.start', resource: 'retest' },
});

export const getEventRetest = Operation('GET /v1/events/{event_slug}/findings/{finding_id}/retest', {
  id: 'getEventRetest',
  tag: 'Events',
  summary: 'Read the last retest of a finding of an event',
  role: 'viewer',
  success: last,
  errors: [401, 403, 404, 409],
});

export const giveRetestVerdict = Operation('POST /v1/findings/{finding_id}/retest/verdict', {
  id: 'giveRetestVerdict',
  tag: 'Findings',
  summary: 'Set the verdict of a retest manually',
  description: 'Only while it is pending: for a finding without a check, or before a worker has begun.',
  role: 'admin',
  body: { example: { result: 'fixed', comment: 'Seen on the new release, by two of us.' } },
  success: {
    description: 'The retest is finished.',
    body: RetestResponse,
    example: givenVerdictExample,
  },
  errors: [400, 401, 403, 404, 409],
  audit: { operation: 'retest.verdict', resource: 'retest' },
});

export const cancelRetest = Operation('POST /v1/findings/{finding_id}/retest/cancel', {
  id: 'cancelRetest',
  tag: 'Findings',
  summary: 'Cancel the last retest of a finding',
  description: 'Canceling it again changes nothing. A worker that runs it stops, and its result is dropped.',
  role: 'member',
  success: {
    description: 'The retest is canceled.',
    body: RetestResponse,
    example: canceledExample,
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'retest.cancel', resource: 'retest' },
});

export const getRetestEvidence = Operation('GET /v1/findings/{finding_id}/retest/evidence', {
  id: 'getRetestEvidence',
  tag: 'Findings',
  summary: 'Read the evidence of the last retest of a finding',
  description:
    'What each probe sent and received, redacted, limited in length and signed. With `format=dsse` it is a DSSE envelope (`payload`, `payloadType` and `signatures`) with an in-toto Statement v1. The subject of the statement is a URL with the digest of one response, which does not identify what was deployed. The statement about a retest with two accounts has a predicate without paths, values, names of accounts and the reason, and the digest of `evidence`. The response is a 409 if the finding has no finished retest, and with `format=dsse` also if nothing was signed, if no response was observed, or if the key of the evidence has been retired.',
  role: 'viewer',
  query: RetestEvidenceQuery,
  success: {
    description: 'The result of the retest, with its evidence.',
    body: RetestEvidenceResponse,
    example: evidenceExample,
    otherFormats: [ENVELOPE_TYPE],
  },
  errors: [400, 401, 403, 404, 409],
});
