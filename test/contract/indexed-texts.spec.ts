import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Person, unique, uniqueDomain } from '../support/factories';

const api = useApi();
const make = new Factories(api);

/**
 * Every index with text columns, and what limits each text. PostgreSQL refuses index entries above 2,704 bytes, which would
 * be a 500. Add new indexes here.
 */
const LIMITS: Readonly<Record<string, string>> = {
  ix_assets_labels: 'labels: 40 characters each',
  ix_assets_value_bytes: 'value: 2,048 ASCII characters in its one form',
  ix_audit_logs_resource: 'resource_type: a word of ours; resource_id: an integer, a UUID or a slug of 63 characters',
  ix_domains_registrable: 'registrable: a host name, 253 ASCII characters',
  ix_finding_sightings_organization: 'scanner: 100 characters',
  ix_finding_sightings_template: 'template: a digest',
  ix_finding_words_tokens: 'tokens: three or 24 characters each',
  ix_findings_check: 'check_id: of a built-in check, or 100 ASCII characters in YAML',
  ix_findings_labels: 'labels: 40 characters each',
  ix_findings_location: 'location: 2,048 ASCII characters in its one form',
  ix_findings_untested_host: 'place_host: a host name, 253 ASCII characters',
  ix_findings_listed: 'searched: the database keeps its first 600 characters, of at most 4 bytes',
  ix_findings_tested: 'verification: one of four words',
  ix_findings_titles: 'verification: one of four words',
  ix_findings_by_priority: 'verification: one of four words',
  ix_findings_by_epss: 'verification: one of four words',
  ix_findings_claimed: 'verification: one of four words',
  ix_findings_untestable: 'verification: one of four words',
  ix_findings_untested: 'asset_value: 2,048 ASCII characters in its one form',
  ix_import_rows_result: 'result: a word of ours',
  uq_personal_notices_reference: 'kind: a word of ours; reference: ids, a day or a UUID',
  uq_observed_hosts_address: 'address: of a host, in its one form',
  ix_schedule_run_parts_run: 'status: a word of ours',
  ix_stored_rows_organization: 'table_name: of a table of ours',
  uq_trackers_hook: 'hook: random text of ours',
  uq_tickets_remote: 'remote_id: 100 characters, cut when it is read',
  ix_webhook_deliveries_record: 'record: a word of ours, and an id or a UUID',
  ix_work_queue: 'kind: a word of ours',
  ix_work_turns: 'kind: a word of ours',
  uq_asset_accounts_name: 'name: 200 characters',
  pk_job_submissions: 'key: a digest',
  pk_job_references: 'name: 100 ASCII characters',
  pk_accepted_checks: 'check_id: of a built-in check',
  pk_accepted_checks_on_many: 'check_id: of a built-in check; label: a label of assets',
  pk_audit_heads: 'month: seven characters',
  pk_audit_leaves: 'month: seven characters',
  pk_callbacks: 'name: 42 characters',
  pk_clock_tasks: 'name: of a task of ours',
  pk_epss_scores: 'cve: at most 28 characters, by the form of its lines',
  pk_kev_entries: 'cve: at most 28 characters, by the form of its entries',
  pk_library_check_versions: 'check_id: 100 ASCII characters',
  pk_library_checks: 'id: 100 ASCII characters',
  pk_set_aside_tasks: 'task: of a task of ours',
  pk_target_paces: 'host: an address, the beacon and the organization',
  pk_stored_limits: 'name: of a table of ours',
  pk_stored_rows_near_limit: 'name: of a table of ours',
  pk_vulnerability_sources: 'name: epss or kev',
  pk_written_positions: 'reader: a digest',
  pk_idempotency_keys: 'path: a digest; key: 255 ASCII characters',
  pk_signing_keys: 'id: a digest',
  uq_active_pages_key: 'origin: a scheme, a host name and a port; key: a digest',
  uq_active_points_key: 'origin: a scheme, a host name and a port; key: a digest',
  uq_approvals_pending: 'digest: a digest',
  uq_api_keys_access_key: 'access_key: made here',
  uq_asset_technologies: 'name, version: 200 and 100 characters',
  uq_assets_value: 'value: 2,048 ASCII characters in its one form',
  uq_beacons_name: 'name: 63 ASCII characters',
  uq_domains_holder: 'value: a host name, 253 ASCII characters',
  uq_domains_value: 'value: a host name, 253 ASCII characters',
  uq_event_targets_origin: 'origin: the value of an asset, or a host name and a port',
  uq_events_slug: 'slug: 63 ASCII characters',
  uq_finding_templates_name: 'name: 80 characters',
  uq_member_groups_name: 'name: 80 characters',
  uq_findings_identity: 'fingerprint: a digest; asset_value: 2,048 ASCII characters in its one form',
  uq_import_proposals: 'kind: a word of ours; digest: a digest',
  uq_organizations_name:
    'folded_name: 200 characters; folding makes few of them longer, and PostgreSQL compresses those',
  uq_provider_identities_subject: 'issuer: 500 characters of a URL; subject: 255 ASCII characters',
  uq_saved_views_name: 'name: 80 characters',
  uq_users_email: 'folded_email: 254 characters, ASCII from invitations',
  uq_work_unfinished: 'kind: a word of ours; reference: an id and a digest',
};

it('every index over a text column has a length limit below the maximum entry size of PostgreSQL', async () => {
  const rows = await query<{ name: string }>(`
    SELECT DISTINCT index.relname AS name FROM pg_index
    JOIN pg_class AS index ON index.oid = indexrelid
    JOIN pg_attribute ON attrelid = index.oid
    WHERE index.relnamespace = 'public'::regnamespace AND atttypid IN ('text'::regtype, 'varchar'::regtype)
      AND indrelid <> 'migrations'::regclass AND NOT index.relispartition
    ORDER BY 1`);
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(LIMITS).sort());
});

/** Text of many different characters, because PostgreSQL compresses repetitions. */
const variedText = (length: number, first: number, count: number): string =>
  Array.from({ length }, (_, at) => String.fromCodePoint(first + ((at * 7_919) % count))).join('');

const path = (length: number): string => variedText(length, 0x4e00, 20_000);

interface Attempt {
  readonly member: Person;
  readonly organizationId: number;
  readonly event: string;
  readonly domain: string;
}

let attempt: Attempt;

beforeAll(async () => {
  const { id } = await make.organization();
  const { slug } = await make.event(id);
  const member = await make.member(id, 'owner');
  attempt = { member, organizationId: id, event: slug, domain: uniqueDomain() };
});

const finding = (body: object) =>
  attempt.member.client.post(`/v1/events/${attempt.event}/findings/`, {
    title: unique('Finding'),
    severity: 'low',
    ...body,
  });

/** A check that requests its location, so that the path is stored. */
const http = `
id: looks-at-a-page
info: { name: A page, severity: low }
http:
  - path: ['{{BaseURL}}/']
    matchers: [{ type: status, status: [200] }]
`;

const withCheck = (location: string) => finding({ asset_value: attempt.domain, check: { http, location } });

const url = (length: number): string => `https://${attempt.domain}/${'a'.repeat(length - attempt.domain.length - 9)}`;

describe('a text that is too long for its index is refused with a 400 that names the field', () => {
  it.each<[string, string, () => Promise<{ status: number; text: string }>]>([
    ['check.location of 2,049 characters', 'check.location', () => withCheck(url(2_049))],
    ['check.location of 250,000 characters', 'check.location', () => withCheck(url(250_000))],
    [
      'check.location that is longer when it is encoded',
      'check.location',
      () => withCheck(`https://${attempt.domain}/${path(500)}`),
    ],
    ['asset_value of a finding', 'asset_value', () => finding({ asset_value: url(2_049) })],
    [
      'asset_value of a finding, when it is encoded',
      'asset_value',
      () => finding({ asset_value: `https://${attempt.domain}/${path(500)}` }),
    ],
    [
      'asset_value of a finding, 80,000 characters of a host name',
      'asset_value',
      () => finding({ asset_value: path(80_000) }),
    ],
    [
      'asset_value',
      'asset_value',
      () =>
        attempt.member.client.post('/v1/assets/', {
          asset_value: `https://${attempt.domain}/${path(500)}`,
          asset_type: 'url',
        }),
    ],
    [
      'value of a domain',
      'value',
      () => attempt.member.client.post('/v1/domains/', { value: `${'a.'.repeat(200)}${attempt.domain}` }),
    ],
    ['url of a job', 'url', () => attempt.member.client.post('/v1/jobs/check', { url: url(2_049) })],
    [
      'url of a job, when it is encoded',
      'url',
      () => attempt.member.client.post('/v1/jobs/launch', { url: `https://${attempt.domain}/${path(500)}` }),
    ],
    [
      'name of a beacon',
      'name',
      () =>
        attempt.member.client.post(`/v1/organizations/${attempt.organizationId}/beacons/`, {
          name: 'a'.repeat(64),
          allowed_cidrs: ['10.0.0.0/8'],
        }),
    ],
    [
      'Idempotency-Key',
      'Idempotency-Key',
      () =>
        attempt.member.client.post('/v1/domains/', { value: uniqueDomain() }, { 'idempotency-key': 'k'.repeat(256) }),
    ],
  ])('%s', async (_name, field, send) => {
    const { status, text } = await send();
    expect([status, text]).toEqual([400, expect.stringContaining(field)]);
  });
});

describe('a text of an indexed column with the maximum length is accepted', () => {
  it.each<[string, () => Promise<{ status: number; text: string }>]>([
    ['check.location', () => withCheck(url(2_000))],
    [
      'asset_value and title of a finding',
      () => finding({ asset_value: url(2_048), title: variedText(500, 0x1f300, 700) }),
    ],
    ['asset_value', () => attempt.member.client.post('/v1/assets/', { asset_value: url(2_047), asset_type: 'url' })],
    [
      'name of an event',
      () =>
        attempt.member.client.post(`/v1/organizations/${attempt.organizationId}/events/`, {
          name: variedText(200, 0x3300, 88),
          event_type: 1,
          event_category: 1,
        }),
    ],
    [
      'name of an organization',
      async () => (await make.integrator()).client.post('/v1/organizations/', { name: variedText(200, 0x1f300, 700) }),
    ],
    [
      'name of an organization whose characters are taken apart',
      async () => (await make.integrator()).client.post('/v1/organizations/', { name: variedText(200, 0x3300, 88) }),
    ],
    [
      'name of an organization whose characters become 33 bytes each',
      async () => (await make.integrator()).client.post('/v1/organizations/', { name: variedText(200, 0xfdf0, 13) }),
    ],
    [
      'Idempotency-Key',
      () =>
        attempt.member.client.post('/v1/domains/', { value: uniqueDomain() }, { 'idempotency-key': 'k'.repeat(255) }),
    ],
  ])('%s', async (_name, send) => {
    const { status, text } = await send();
    expect([status, text]).toEqual([201, expect.anything()]);
  });
});
