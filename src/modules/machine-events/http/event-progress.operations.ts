import { operationsTagged } from '../../../platform/http/operation';
import { EventProgressResponse } from './event-progress.responses';

const operation = operationsTagged('Events');

const totals = { done: 7, running: 1, waiting: 0, not_testable: 1, tested_today: 7, never_tested: 1 };

export const getEventProgress = operation('GET /v1/events/{event_slug}/progress', {
  id: 'getEventProgress',
  summary: 'Read what an event has tested, and what is next',
  description: 'Before its start it says what the event needs and what one worker has for it.',
  role: 'viewer',
  success: {
    description: 'The progress.',
    body: EventProgressResponse,
    example: {
      sends:
        'From 2026-03-02 20:00 UTC on, every asset in its scope is observed and every web origin there is tested, all every 24 hours; at most 2 targets at a time.',
      assets: { ...totals, done: 12, running: 0, not_testable: 0, tested_today: 12, never_tested: 0 },
      origins: totals,
      findings: { new: 3, gone: 1, counted: '2026-03-03T09:30:00.000Z' },
      next_run: '2026-03-03T20:00:00.000Z',
      capacity: { round_hours: 83, available_hours: 40, text: '83 h a day, 40 available: each origin every 2.1 days' },
      not_testable: [
        {
          asset_id: 42,
          asset: 'www.example.com',
          origin: 'https://www.example.com/',
          reason: 'No asset covers www.example.com: add its domain and verify it.',
          next_try: '2026-03-02T23:00:00.000Z',
        },
      ],
      left_out: null,
      unmatched_accounts: [],
      days: [{ day: '2026-03-02', jobs: 9, assets: 8, origins: 9, requests: 1204, failed: 0, new: 3, gone: 1 }],
    },
  },
});
