import { uuidV7 } from '../../src/kernel/uuid-v7';
import { leafHash } from '../../src/modules/audit/domain/merkle-tree';
import { headKeyOf, signedHead } from '../../src/modules/audit/domain/signed-head';
import { randomUUID } from 'node:crypto';
import { pngOf } from '../../src/kernel/testing/pictures';
import { defaultReportOptions } from '../../src/modules/reports';
import { query } from './database';
import { type Factories, type Person, unique } from './factories';

/** The ids of one record of every kind, under the names of the API parameters. */
export interface RecordIds {
  readonly organization_id: number;
  readonly asset_id: number;
  /** A check that is accepted on the asset. */
  readonly check_id: string;
  /** A reference of the asset, without a recorded job. */
  readonly reference: string;
  /** The name of the asset, and an account with which tests sign in to it. */
  readonly asset_host: string;
  readonly account_id: number;
  readonly domain_id: number;
  readonly beacon_id: number;
  readonly discovery_uuid: string;
  readonly observation_uuid: string;
  readonly event_slug: string;
  readonly finding_id: number;
  /** A finding that is merged into it. */
  readonly merged_finding_id: number;
  /** A comment on the finding, from an hour ago. */
  readonly comment_id: string;
  /** A picture that is attached to the finding. */
  readonly attachment_id: number;
  /** All findings, selected by the user who made the records. */
  readonly selection_id: number;
  readonly report_id: number;
  readonly schedule_id: number;
  readonly channel_id: number;
  readonly tracker_id: number;
  /** A group of members. */
  readonly group_id: number;
  /** A template of findings. */
  readonly template_id: number;
  readonly webhook_id: number;
  /** It is rejected. */
  readonly approval_id: number;
  /** A message of the webhook. */
  readonly delivery_id: string;
  readonly import_id: number;
  /** A member of the organization. */
  readonly user_id: number;
  readonly invitation_id: number;
  /** A key of the user who made the records. */
  readonly key_id: number;
  /** The UUID of a job. */
  readonly uuid: string;
  /** A month of the audit log with a signed head, and an entry in it. */
  readonly month: string;
  readonly entry_id: string;
}

/** Well-formed ids that do not exist. */
export const unknownIds: RecordIds = {
  organization_id: 2_147_483_647,
  asset_id: 2_147_483_647,
  check_id: 'no-https-redirect',
  reference: 'unknown',
  asset_host: 'unknown.example.com',
  account_id: 2_147_483_647,
  domain_id: 2_147_483_647,
  beacon_id: 2_147_483_647,
  discovery_uuid: '5b0c7a52-4a9e-4a39-9c0c-9a1e3f1d7c60',
  observation_uuid: '0e6f2c1a-7b00-4cc4-9a53-0d4f2c6b1e77',
  event_slug: 'unknown-event-0a0a0a',
  finding_id: 2_147_483_647,
  merged_finding_id: 2_147_483_647,
  comment_id: '999999999999999',
  attachment_id: 2_147_483_647,
  selection_id: 2_147_483_647,
  report_id: 2_147_483_647,
  schedule_id: 2_147_483_647,
  channel_id: 2_147_483_647,
  tracker_id: 2_147_483_647,
  group_id: 2_147_483_647,
  template_id: 2_147_483_647,
  webhook_id: 2_147_483_647,
  approval_id: 2_147_483_647,
  delivery_id: '8a1f6a52-4a9e-4a39-9c0c-9a1e3f1d7c99',
  import_id: 2_147_483_647,
  user_id: 2_147_483_647,
  invitation_id: 2_147_483_647,
  key_id: 2_147_483_647,
  uuid: '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11',
  month: '1999-01',
  entry_id: '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b12',
};

/** A logo or another picture as a request body. */
export const logoFile = (): Blob => new Blob([new Uint8Array(pngOf(40, 20))], { type: 'image/png' });
/** Of an account with a form at an origin. */
export const accountDraft = (origin: string) => ({
  name: 'customer A',
  role: 'customer',
  sign_in: { kind: 'form', page: `${origin}/login`, user_name: 'ada' },
  origins: [origin],
  secrets: { password: 'a password' },
});

export const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

async function rejectedApproval(organizationId: number): Promise<number> {
  const [row] = await query<{ id: number }>(
    `INSERT INTO approvals (organization_id, status, changes, digest, proposed_by, proposed_at, expires, decided_at)
     VALUES ($1, 'rejected', '[]', 'x', 1, now(), now() + interval '1 day', now()) RETURNING id`,
    [organizationId],
  );
  return row?.id ?? 0;
}

/** Makes one record of every kind in an organization, over HTTP where that is possible. */
export async function recordsOf(organizationId: number, { client }: Person): Promise<RecordIds> {
  const created = async (path: string, body: object): Promise<number> => {
    const answer = await client.post(path, body);
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body.id as number;
  };
  const host = `${unique('h').replace(' ', '')}.example.com`;
  const asset_id = await created('/v1/assets/', {
    organization_id: organizationId,
    asset_value: host,
    asset_type: 'domain',
  });
  await client.put(`/v1/organizations/${organizationId}/logo`, logoFile());
  const { check_id } = unknownIds;
  await client.put(`/v1/assets/${asset_id}/accepted-checks/${check_id}`, { reason: 'Staging.', until: inAnHour() });
  await client.put(`/v1/organizations/${organizationId}/accepted-checks/${check_id}`, {
    reason: 'All.',
    until: inAnHour(),
  });
  const reference = 'main';
  await client.put(`/v1/assets/${asset_id}/references/${reference}`, { access_keys: ['ak_main'] });
  const account_id = await created(`/v1/assets/${asset_id}/accounts/`, accountDraft(`https://${host}`));
  const domain_id = await created('/v1/domains/', { organization_id: organizationId, value: `d-${host}` });
  const beacon_id = await created(`/v1/organizations/${organizationId}/beacons/`, {
    name: 'beacon',
    allowed_cidrs: ['10.0.0.0/8'],
  });
  const discovery_uuid = randomUUID();
  // No worker runs it.
  await query(
    `INSERT INTO beacon_discoveries (uuid, organization_id, beacon_id, cidrs, ports, status, hosts, candidates)
     VALUES ($1, $2, $3, '{10.0.0.0/24}', '{80}', 'IN_PROGRESS', 254, '[{"address":"10.0.0.7","ports":[80]}]')`,
    [discovery_uuid, organizationId, beacon_id],
  );
  const event = await client.post(`/v1/organizations/${organizationId}/events/`, {
    name: unique('Event'),
    event_type: 1,
    event_category: 1,
    start_date: '2026-01-01T00:00:00Z',
    end_date: '2099-01-01T00:00:00Z',
  });
  const event_slug = event.body.slug as string;
  await client.put(`/v1/events/${event_slug}/picture`, logoFile());
  await created(`/v1/events/${event_slug}/scope/assets/`, { asset_id, in_scope: true });
  const finding_id = await created(`/v1/events/${event_slug}/findings/`, {
    title: unique('Finding'),
    asset_id,
    severity: 'high',
  });
  const merged_finding_id = await created(`/v1/events/${event_slug}/findings/`, {
    title: unique('Merged'),
    asset_id,
    severity: 'high',
  });
  await client.post(`/v1/findings/${finding_id}/merge`, { finding_ids: [merged_finding_id] });
  const comment_id = await commentOn(finding_id, client);
  await client.post(`/v1/findings/${finding_id}/retest/`);
  await client.post(`/v1/findings/${finding_id}/retest/verdict`, { result: 'inconclusive' });
  const attachments = `/v1/organizations/${organizationId}/findings/${finding_id}/attachments`;
  const { body: attached } = await client.post(`${attachments}?name=shot.png`, logoFile());
  const selection_id = await created(`/v1/organizations/${organizationId}/findings/selections`, {
    action: { add_labels: ['selected'] },
  });
  const report_id = await generatedReport(event_slug);
  const import_id = await finishedImport(organizationId, event_slug, finding_id);
  const schedule_id = await created(`/v1/organizations/${organizationId}/schedules`, {
    name: unique('Schedule'),
    what: 'report',
    on: 'all',
    every_hours: 720,
  });
  const channel_id = await created(`/v1/organizations/${organizationId}/channels`, {
    name: unique('Channel'),
    kind: 'slack',
    url: 'https://hooks.slack.com/services/x',
  });
  const tracker_id = await created(`/v1/organizations/${organizationId}/trackers`, {
    name: unique('Tracker'),
    kind: 'github',
    project: 'acme/shop',
  });
  const tracker_of_ticket = await created(`/v1/organizations/${organizationId}/trackers`, {
    name: unique('Tracker'),
    kind: 'github',
    project: 'acme/shop',
  });
  await query(
    `INSERT INTO tickets (organization_id, tracker_id, finding_id, marker, state, by_hand, remote_id, key, changed)
     VALUES ($1, $2, $3, $4, 'open', true, '1', '#1', now())`,
    [organizationId, tracker_of_ticket, finding_id, randomUUID()],
  );
  const webhook_id = await created(`/v1/organizations/${organizationId}/webhooks`, {
    name: unique('Webhook'),
    url: 'https://hooks.example.com/',
    types: ['discovery.created'],
  });
  const uuid = randomUUID();
  await query(
    `WITH job AS (
       INSERT INTO jobs (uuid, organization_id, asset_id, url, depth) VALUES ($1, $2, $3, $4, 'active') RETURNING id),
     point AS (
       INSERT INTO active_points (organization_id, origin, key, point)
       VALUES ($2, $4, 'a digest', '{"request":{"path":"/?q=1"},"kind":"query","name":"q","value":"1"}')),
     written AS (
       INSERT INTO job_submissions (job_id, key, organization_id, method, path, submissions, shown_at, remaining, deleted)
       SELECT id, 'a digest', $2, 'POST', '/sign', 1, '[]', '[]', 0 FROM job)
     INSERT INTO job_requests (job_id, part, organization_id, lines, requests) SELECT id, 1, $2, 'a line', 1 FROM job`,
    [uuid, organizationId, asset_id, `https://${host}/`],
  );
  const invitation_id = await created(`/v1/organizations/${organizationId}/invitations/`, {
    email: `${unique('invited').replace(' ', '-')}@example.com`,
    role: 'viewer',
  });
  const key_id = await created('/v1/api-keys/', { label: 'of the records', scopes: ['read', 'ci'] });
  return {
    organization_id: organizationId,
    asset_id,
    check_id,
    reference,
    asset_host: host,
    account_id,
    domain_id,
    beacon_id,
    discovery_uuid,
    observation_uuid: await observationOf(organizationId, asset_id),
    event_slug,
    finding_id,
    merged_finding_id,
    comment_id,
    attachment_id: attached.id as number,
    selection_id,
    report_id,
    schedule_id,
    channel_id,
    tracker_id,
    group_id: await groupOf(organizationId),
    template_id: await templateOf(organizationId),
    webhook_id,
    approval_id: await rejectedApproval(organizationId),
    delivery_id: await deliveryOf(organizationId, webhook_id),
    import_id,
    user_id: await memberOf(organizationId),
    invitation_id,
    key_id,
    uuid,
    month: HEAD_MONTH,
    entry_id: await entryInHeadOf(organizationId),
  };
}

const HEAD_MONTH = '2026-01';

/** A head of one entry. The feed of the records is without it: it would be an entry that only some filters have. */
async function entryInHeadOf(organizationId: number): Promise<string> {
  const id = uuidV7(Date.UTC(2026, 0, 15));
  const leaf = leafHash(id);
  const state = { size: 1, root: leaf.toString('hex') };
  const statement = {
    type: 'assay/audit-head/1',
    organization_id: organizationId,
    month: HEAD_MONTH,
    ...state,
  } as const;
  const document = signedHead(
    { ...statement, previous: null, evidence_keys: state, signed: new Date().toISOString() },
    headKeyOf(Buffer.alloc(32, 7).toString('base64')),
  );
  await query(`INSERT INTO audit_leaves VALUES ($1, $2, 0, 1, ARRAY[$3::uuid], $3, $4, $4)`, [
    organizationId,
    HEAD_MONTH,
    id,
    leaf,
  ]);
  await query(`INSERT INTO audit_heads VALUES ($1, $2, 1, $3)`, [organizationId, HEAD_MONTH, JSON.stringify(document)]);
  await query(`DELETE FROM feed_outbox WHERE type = 'audit_head.signed' AND organization_id = $1`, [organizationId]);
  return id;
}

async function groupOf(organizationId: number): Promise<number> {
  const [added] = await query<{ id: number }>(
    `INSERT INTO member_groups (organization_id, name) VALUES ($1, 'Group of records') RETURNING id`,
    [organizationId],
  );
  return added?.id ?? 0;
}

async function templateOf(organizationId: number): Promise<number> {
  const [added] = await query<{ id: number }>(
    `INSERT INTO finding_templates (organization_id, name, title) VALUES ($1, 'Of records', 'Title') RETURNING id`,
    [organizationId],
  );
  return added?.id ?? 0;
}

async function commentOn(findingId: number, client: Person['client']): Promise<string> {
  const { body } = await client.post(`/v1/findings/${findingId}/comments/`, { comment: 'Seen.' });
  await query(`UPDATE finding_history SET created = created - interval '1 hour' WHERE id = $1`, [body.id]);
  return body.id as string;
}

/** A message that was delivered. */
async function deliveryOf(organizationId: number, webhookId: number): Promise<string> {
  const id = randomUUID();
  await query(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, message_id, position, type, record, state, attempts, created, ended)
     VALUES ($1, $2, $3, 1, 'asset.created', 'asset 1', 'delivered', 1, now(), now())`,
    [organizationId, webhookId, id],
  );
  return id;
}

/** An observation that no worker runs, a host with a port, and a change. */
async function observationOf(organizationId: number, assetId: number): Promise<string> {
  const uuid = randomUUID();
  await query(
    `INSERT INTO observations (uuid, organization_id, asset_id, cause, status, attempt)
     VALUES ($1, $2, $3, 'request', 'IN_PROGRESS', 1)`,
    [uuid, organizationId, assetId],
  );
  await query(
    `WITH host AS (
       INSERT INTO observed_hosts (organization_id, asset_id, address, first_seen, last_seen)
       VALUES ($1, $2, '192.0.2.7', now(), now()) RETURNING id, organization_id)
     INSERT INTO observed_ports (host_id, organization_id, port, state, first_seen, last_seen)
     SELECT id, organization_id, 443, 'open', now(), now() FROM host`,
    [organizationId, assetId],
  );
  await query(
    `INSERT INTO asset_changes (id, organization_id, asset_id, seen, kind, address, port)
     VALUES (gen_random_uuid(), $1, $2, now(), 'port_opened', '192.0.2.7', 443)`,
    [organizationId, assetId],
  );
  return uuid;
}

async function memberOf(organizationId: number): Promise<number> {
  const address = `${unique('member').replace(' ', '-')}@example.com`;
  const [member] = await query<{ id: number }>(
    `WITH person AS (INSERT INTO users (email, folded_email) VALUES ($2, $2) RETURNING id)
     INSERT INTO memberships (user_id, organization_id, role) SELECT id, $1, 'member' FROM person RETURNING user_id AS id`,
    [organizationId, address],
  );
  return member?.id ?? 0;
}

/** An import with one row. */
async function finishedImport(organizationId: number, eventSlug: string, findingId: number): Promise<number> {
  const [added] = await query<{ id: number }>(
    `WITH import AS (
       INSERT INTO imports (organization_id, event_id, dry_run, unknown_assets, actor_type, actor_id, status, sighted_at)
       SELECT organization_id, id, false, 'refuse', 'user', '1', 'FINISHED', now() FROM events WHERE slug = $2
       RETURNING id, organization_id),
      line AS (
        INSERT INTO import_rows (import_id, number, organization_id, line, result, finding_id, title)
        SELECT id, 1, organization_id, 1, 'unchanged', $3, 'Finding' FROM import)
     SELECT id FROM import WHERE organization_id = $1`,
    [organizationId, eventSlug, findingId],
  );
  return added?.id ?? 0;
}

/** A file to import, without results. */
export const importFile = (): Blob => new Blob(['[]'], { type: 'application/json' });

/** A generated report whose file has two chunks. */
async function generatedReport(eventSlug: string): Promise<number> {
  const [report] = await query<{ id: number }>(
    `WITH event AS (SELECT * FROM events WHERE slug = $1),
      file AS (
        INSERT INTO report_files (organization_id, sha256, size)
        SELECT organization_id, sha256(convert_to(slug, 'UTF8')), 262149 FROM event RETURNING *),
      chunks AS (
        INSERT INTO report_file_chunks (file_id, number, organization_id, content)
        SELECT file.id, piece.number, file.organization_id, convert_to(repeat('x', piece.length), 'UTF8')
        FROM file, (VALUES (0, 262144), (1, 5)) AS piece (number, length))
     INSERT INTO reports (organization_id, event_id, options, start_date, end_date, file_id, generation_date)
     SELECT event.organization_id, event.id, $2, event.start_date, event.end_date, file.id, now() FROM event, file RETURNING id`,
    [eventSlug, JSON.stringify({ ...defaultReportOptions, format: 'csv' })],
  );
  return report?.id ?? 0;
}

/** An organization with an owner and one record of every kind. */
export async function tenantWithRecords(
  make: Factories,
  integratorId?: number,
): Promise<{ owner: Person; ids: RecordIds }> {
  const tenant = await make.organization({ integratorId });
  const owner = await tenant.as('owner');
  return { owner, ids: await recordsOf(tenant.id, owner) };
}
