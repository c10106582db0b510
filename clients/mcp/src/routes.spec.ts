import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All that tools may do, besides `launch` of the SDK (POST /v1/jobs) and its waits: no keys, members, settings or accounts. */
const ROUTES = [
  'GET /v1/assets/{asset_id}',
  'GET /v1/assets/{asset_id}/changes',
  'GET /v1/events',
  'GET /v1/findings/{finding_id}/',
  'GET /v1/findings/{finding_id}/retest/',
  'GET /v1/findings/{finding_id}/retest/evidence',
  'GET /v1/jobs',
  'GET /v1/jobs/{uuid}',
  'GET /v1/jobs/{uuid}/success',
  'GET /v1/organizations/{organization_id}/assets/',
  'GET /v1/organizations/{organization_id}/changes',
  'GET /v1/organizations/{organization_id}/findings/',
  'POST /v1/events/{event_slug}/reports/',
  'POST /v1/findings/{finding_id}/comments/',
  'POST /v1/findings/{finding_id}/retest/',
  'POST /v1/organizations/{organization_id}/reports/',
];

it('tools call the routes of this table and no other', () => {
  const files = readdirSync(__dirname).filter((name) => !name.endsWith('.spec.ts'));
  const source = files.map((name) => readFileSync(join(__dirname, name), 'utf8')).join('\n');
  const calls = Array.from(
    source.matchAll(/\b(GET|PUT|POST|PATCH|DELETE)\(\s*'([^']+)'/g),
    ([, method, path]) => `${method} ${path}`,
  );
  expect([...new Set(calls)].toSorted()).toEqual(ROUTES);
  expect(source.match(/'\/v1[^']*'/g)).toHaveLength(calls.length);
  expect(Array.from(source.matchAll(/\b(?:launch|waitFor\w+)\(/g), ([call]) => call).toSorted()).toEqual([
    'launch(',
    'waitForJob(',
    'waitForRetest(',
  ]);
});
