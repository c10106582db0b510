import { setTimeout as delay } from 'node:timers/promises';
import { useApi } from '../support/api';
import { basic } from '../support/client';
import { query } from '../support/database';
import { Factories } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const ENTRIES = 1_000_000;
const PAUSE_EVERY_BYTES = 4_194_304;
const MAX_GROWTH_MB = 120;

it('sends a million entries to a slow reader with flat memory', async () => {
  const tenant = await make.organization();
  const { credentials } = await tenant.as('viewer');
  await query(
    `INSERT INTO feed_outbox (organization_id, type, version, record_id, data)
     SELECT $1, 'finding.created', 1, g::text, '{"severity": "high", "status": 1, "labels": [], "asset_id": null, "event_ids": []}'
     FROM generate_series(1, $2::int) g`,
    [tenant.id, ENTRIES],
  );
  for (let newest = 0; newest < ENTRIES;) {
    const [row] = await query<{ newest: string }>('SELECT newest FROM feed_append($1)', [tenant.id]);
    newest = Number(row?.newest);
  }
  const headers = { authorization: basic(credentials), accept: 'text/event-stream' };
  const memory: number[] = [];
  const response = await fetch(`${api.url}/v1/organizations/${tenant.id}/feed?limit=1000`, { headers });
  const decoder = new TextDecoder();
  let next = 1;
  let rest = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    const entries = lines.filter((line) => line.startsWith('data: '));
    for (const entry of entries) if (!entry.startsWith(`data: {"position":${next++},`)) throw new Error(entry);
    if (next > ENTRIES) break;
    bytes += chunk.length;
    if (bytes < PAUSE_EVERY_BYTES) continue;
    bytes = 0;
    memory.push(process.memoryUsage().rss / 1_048_576);
    await delay(100);
  }
  expect(next).toBe(ENTRIES + 1);
  const early = Math.max(...memory.slice(0, 10));
  expect(memory.length).toBeGreaterThan(30);
  expect(Math.max(...memory) - early).toBeLessThan(MAX_GROWTH_MB);
});
