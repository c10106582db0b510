import { FindingSearches } from '../../src/modules/findings/lists/finding-searches';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';

const api = useApi();
const make = new Factories(api);

const MAX_RATIO = 1.9;
const TABLES = 'findings finding_words finding_word_groups finding_words_waiting feed_outbox stored_rows'.split(' ');
const TRIGGERS = 'feed_added stored_insert words_added'.split(' ');

const SUBJECTS = ['The server', 'The sign-in page', 'The order search', 'The upload', 'The session cookie'];
const WEAKNESSES = ['names its version', 'accepts TLS 1.0', 'reflects its input', 'lists its folders'];
const SENTENCES = [
  'It was seen with a plain request from the outside.',
  'An attacker on the same network could read what is sent.',
  'Set the header in the configuration of the front server and test again.',
  'Update to the version that is supported, and restart the service.',
];

let next = 0;

async function insert(organizationId: number, count: number): Promise<void> {
  await query(
    `INSERT INTO findings (organization_id, asset_value, title, md, html, severity, priority, fingerprint, cwe, cve, verification_reason)
     SELECT $1, 'host-' || n % 300 || '.example.com', ($3::text[])[1 + n % 5] || ' ' || ($4::text[])[1 + n / 5 % 4] || ' (' || n * 7919 % 10000 || ')',
       text, '<p>' || text || '</p>', n % 7, 1 + n % 5, sha256(('written' || n)::bytea),
       CASE n % 5 WHEN 0 THEN n % 300 END, CASE n % 5 WHEN 1 THEN 'CVE-2024-' || 10000 + n * 7919 % 20000 END, 'not_requested'
     FROM generate_series($2::int, $2::int + $6::int - 1) n,
       LATERAL (SELECT ($5::text[])[1 + n % 4] || ' ' || ($5::text[])[1 + n / 4 % 4] AS text) own`,
    [organizationId, next, SUBJECTS, WEAKNESSES, SENTENCES, count],
  );
  next += count;
}

async function position(): Promise<number> {
  const [row] = await query<{ bytes: string }>(`SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`);
  return Number(row?.bytes);
}

/** The bytes of the write-ahead log for a finding, with what the task of the search writes later. The test database has no full pages in its log. */
async function bytesOf(organizationId: number, statements: number, size: number, areTriggersOn: boolean) {
  for (const trigger of TRIGGERS)
    await query(`ALTER TABLE findings ${areTriggersOn ? 'ENABLE' : 'DISABLE'} TRIGGER tr_findings_${trigger}`);
  const before = await position();
  for (let turn = 0; turn < statements; turn++) await insert(organizationId, size);
  await api.app.get(FindingSearches).fill();
  await query(`SELECT gin_clean_pending_list('ix_finding_word_groups_tokens')`);
  return ((await position()) - before) / (statements * size);
}

async function ratio(statements: number, size: number): Promise<number> {
  const { id } = await make.organization();
  await bytesOf(id, 5, 1_000, true);
  const [plain, whole] = [await bytesOf(id, statements, size, false), await bytesOf(id, statements, size, true)];
  return whole / plain;
}

beforeAll(async () => {
  // Its vacuums write in between.
  for (const table of TABLES) await query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
});

it.each([
  [10, 1_000],
  [1_024, 1],
])('feed, search and counters write less than a finding itself: %d statements of %d findings', async (turns, size) => {
  const written = await ratio(turns, size);
  console.log(`${turns} statements of ${size} findings: ${written.toFixed(2)}`);
  expect(written).toBeGreaterThan(1.3);
  expect(written).toBeLessThan(MAX_RATIO);
});

it('an index of the tokens of each finding would exceed that', async () => {
  await query(`CREATE INDEX ix_each_finding ON finding_words
    USING gin (finding_tokens(organization_id, finding_id, assignee_id, searched, words))`);
  try {
    expect(await ratio(10, 1_000)).toBeGreaterThan(MAX_RATIO);
  } finally {
    await query('DROP INDEX ix_each_finding');
  }
});
