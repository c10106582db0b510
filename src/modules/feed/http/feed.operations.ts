import { operationsTagged } from '../../../platform/http/operation';
import { ReadFeedQuery } from './feed.requests';
import { FeedResponse } from './feed.responses';

const operation = operationsTagged('Feed');

export const readFeed = operation('GET /v1/organizations/{organization_id}/feed', {
  id: 'readFeed',
  summary: 'Read what has changed in an organization',
  description:
    'Every change is one entry, and an entry never appears before one that was read. Entries are kept for at least 30 days; an older position is a 409. With `Accept: text/event-stream` the answer is a stream of server-sent events, which continues after `Last-Event-ID`. At most 5 requests of a key and 50 of an organization may wait at once; each process of the API allows its share.',
  role: 'viewer',
  query: ReadFeedQuery,
  success: {
    description: 'The entries, oldest first.',
    body: FeedResponse,
    example: {
      entries: [
        {
          position: 1201,
          type: 'finding.changed',
          version: 1,
          at: '2026-01-31T12:00:00.000Z',
          record_id: '4711',
          data: {
            severity: 'high',
            status: 3,
            labels: ['shop'],
            asset_id: 42,
            event_ids: [7],
            changed: { status: { from: 1, to: 3 } },
          },
        },
      ],
      next_after: 1201,
      newest: 1201,
    },
  },
  errors: [400, 401, 403, 404, 409],
});
