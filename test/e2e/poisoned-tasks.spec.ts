import { randomUUID } from 'node:crypto';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';
import { addRow, poison } from '../support/poisoned-data';

/** Statements end after four seconds. A mail server is configured, so that members get notices; nothing is sent here. */
const api = useApi({
  DATABASE_TIMEOUT_MS: '6000',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Assay <assay@example.com>',
  OBSERVE_EVERY_HOURS: '24',
  AUDIT_HEAD_KEY: Buffer.alloc(32, 7).toString('base64'),
});
const make = new Factories(api);

interface Case {
  /** The rows that the task changes. */
  readonly table: string;
  readonly operation: 'INSERT' | 'UPDATE' | 'DELETE';
  /** Makes something due for the task. */
  due(tenant: Tenant): Promise<void>;
  /** A condition on `o`, the organization: the task has done what was due. */
  readonly done: string;
}

const OLD = `now() - interval '500 days'`;
const none = (table: string, condition = 'true'): string =>
  `NOT EXISTS (SELECT 1 FROM ${table} r WHERE r.organization_id = o.id AND ${condition})`;
const some = (table: string, condition = 'true'): string =>
  `EXISTS (SELECT 1 FROM ${table} r WHERE r.organization_id = o.id AND ${condition})`;

const idOf = async (tenant: Tenant, table: string): Promise<number> => {
  const [row] = await query<{ id: number }>(`SELECT max(id)::int AS id FROM ${table} WHERE organization_id = $1`, [
    tenant.id,
  ]);
  return row?.id ?? 0;
};

const removedRow = (table: string, given: Readonly<Record<string, string | number>>): Case => ({
  table,
  operation: 'DELETE',
  due: ({ id }) => addRow(table, { organization_id: id, ...given }),
  done: none(table),
});

/** With a row of another table that it belongs to. */
const removedChild = (
  parent: string,
  reference: string,
  table: string,
  given: { readonly parent: Readonly<Record<string, string | number>>; readonly row: Record<string, string> },
): Case => ({
  table,
  operation: 'DELETE',
  due: async (tenant) => {
    await addRow(parent, { organization_id: tenant.id, ...given.parent });
    await addRow(table, { organization_id: tenant.id, [reference]: await idOf(tenant, parent), ...given.row });
  },
  done: none(table),
});

const schedule = { what: `'job'`, target: `'all'`, every_hours: 24 };
const webhook = { signature: `'hmac'`, cursor: 0 };
const channel = { kind: `'mail'`, cursor: 0 };
const tracker = { kind: `'github'`, regression: `'reopen'`, automatic: 'true', cursor: 0, followed: 0 };
const withFinding = async ({ id }: Tenant): Promise<void> => void (await make.finding(id));

/** Every scheduled task that works on the data of organizations. */
const CASES: Readonly<Record<string, Case>> = {
  'approval.expiry': {
    table: 'approvals',
    operation: 'UPDATE',
    due: async ({ id }) => {
      const given = { changes: `'[]'`, digest: `'expired'`, proposed_by: await make.user(), proposed_at: OLD };
      await addRow('approvals', { organization_id: id, ...given, expires: `now() - interval '1 day'` });
    },
    done: some('approvals', `status = 'expired'`),
  },
  'asset.observation_removal': {
    ...removedRow('observed_hosts', {}),
    due: async ({ id }) => {
      const { id: asset } = await make.asset(id);
      await addRow('observed_hosts', { organization_id: id, asset_id: asset, gone: 'true', last_seen: OLD });
    },
  },
  'asset.observations': {
    table: 'observed_assets',
    operation: 'INSERT',
    due: async ({ id }) => {
      const { id: asset } = await make.asset(id);
      await query('UPDATE organizations SET observation_enabled = true WHERE id = $1', [id]);
      await query(`UPDATE assets SET observation_due = now() - interval '1 day', observe = true WHERE id = $1`, [
        asset,
      ]);
    },
    done: some('observed_assets'),
  },
  'audit_log.heads': { table: 'audit_leaves', operation: 'INSERT', due: withFinding, done: some('audit_heads') },
  'beacon.missed_reports': {
    table: 'beacons',
    operation: 'UPDATE',
    due: async ({ id }) => {
      const { id: beacon } = await make.beacon(id);
      await query(`UPDATE beacons SET status = 1, last_report = ${OLD} WHERE id = $1`, [beacon]);
    },
    done: some('beacons', 'status <> 1'),
  },
  'domain.lookups': {
    table: 'work',
    operation: 'INSERT',
    due: async ({ id }) => {
      const { id: domain } = await make.domain(id);
      await query(`UPDATE domains SET next_lookup = '2000-01-01' WHERE id = $1`, [domain]);
    },
    done: some('work', `kind = 'domain.lookup'`),
  },
  'event.plans': {
    table: 'event_plans',
    operation: 'INSERT',
    due: async ({ id }) => {
      const { id: event } = await make.event(id, { status: 'running' });
      await query(
        `UPDATE events SET automatic = true, start_date = now(), end_date = now() + interval '1 day' WHERE id = $1`,
        [event],
      );
    },
    done: some('event_plans'),
  },
  'event.transitions': {
    table: 'events',
    operation: 'UPDATE',
    due: async ({ id }) => {
      const { id: event } = await make.event(id);
      await query(`UPDATE events SET start_date = '2000-01-01', end_date = '2999-01-01' WHERE id = $1`, [event]);
    },
    done: some('events', `status = 'running'`),
  },
  'feed.append': { table: 'feed_entries', operation: 'INSERT', due: withFinding, done: some('feed_entries') },
  'finding.abandoned_attachments': {
    ...removedRow('finding_attachments', {}),
    due: async ({ id }) => {
      const { id: finding } = await make.finding(id);
      await addRow('finding_attachments', { organization_id: id, finding_id: finding, touched: OLD });
    },
  },
  'finding.acceptance_expiry': {
    table: 'findings',
    operation: 'UPDATE',
    due: async ({ id }) => {
      const { id: finding } = await make.finding(id);
      await query(
        `UPDATE findings SET status = 6, previous_status = 1, accepted_until = now() - interval '1 day' WHERE id = $1`,
        [finding],
      );
    },
    done: none('findings', 'r.accepted_until IS NOT NULL'),
  },
  'finding.overview_refresh': {
    table: 'finding_overviews',
    operation: 'UPDATE',
    due: async ({ id }) => {
      await query(`DELETE FROM finding_overviews WHERE organization_id = $1`, [id]);
      await addRow('finding_overviews', { organization_id: id, computed: `'2000-01-01'` });
    },
    done: some('finding_overviews', `computed > '2001-01-01'`),
  },
  'finding.selection_removal': {
    ...removedRow('finding_selections', {}),
    due: async ({ id }) => {
      const given = { organization_id: id, user_id: await make.user(), status: `'finished'`, created: OLD };
      await addRow('finding_selections', given);
    },
  },
  'idempotency.forget': {
    ...removedRow('idempotency_keys', {}),
    due: async (tenant) => {
      await tenant.as('owner');
      const key = `(SELECT max(k.id) FROM api_keys k JOIN memberships m USING (user_id) WHERE m.organization_id = ${tenant.id})`;
      await addRow('idempotency_keys', { organization_id: tenant.id, api_key_id: key, created: OLD });
    },
  },
  'identity.checks': {
    table: 'work',
    operation: 'INSERT',
    due: async (tenant) => {
      const { userId } = await tenant.as('member');
      const given = { organization_id: tenant.id, user_id: userId, sealed: `'\\x00'`, checked: OLD };
      await addRow('provider_identities', { ...given, subject: `'${randomUUID()}'` });
      await query(
        `UPDATE api_keys SET identity_id = (SELECT max(id) FROM provider_identities WHERE user_id = $1) WHERE user_id = $1`,
        [userId],
      );
    },
    done: some('work', `kind = 'identity.check'`),
  },
  'identity.expired_credentials': {
    ...removedRow('invitations', {}),
    due: async (tenant) => {
      const { userId } = await tenant.as('owner');
      const given = { organization_id: tenant.id, invited_by: userId, role: `'member'`, expires: OLD };
      await addRow('invitations', { ...given, token_hash: `sha256('${randomUUID()}')` });
    },
  },
  'imports.remove_abandoned': removedRow('imports', {
    status: `'UPLOADING'`,
    touched: OLD,
    unknown_assets: `'refuse'`,
    actor_type: `'user'`,
  }),
  'imports.end_waiting': {
    table: 'imports',
    operation: 'UPDATE',
    due: ({ id }) =>
      addRow('imports', {
        organization_id: id,
        status: `'PENDING'`,
        waits_until: OLD,
        questions: `'[]'`,
        dry_run: 'false',
        unknown_assets: `'refuse'`,
        actor_type: `'user'`,
      }),
    done: none('imports', 'r.waits_until IS NOT NULL'),
  },
  'imports.remove_kept_files': {
    table: 'imports',
    operation: 'UPDATE',
    due: ({ id }) =>
      addRow('imports', {
        organization_id: id,
        status: `'FINISHED'`,
        file_kept_until: OLD,
        dry_run: 'true',
        unknown_assets: `'refuse'`,
        actor_type: `'user'`,
      }),
    done: none('imports', 'r.file_kept_until IS NOT NULL'),
  },
  'job.past_active_tests': removedChild('jobs', 'job_id', 'job_requests', { parent: {}, row: { created: OLD } }),
  'limits.add_up': {
    table: 'stored_rows',
    operation: 'DELETE',
    due: async ({ id }) => {
      const given = { organization_id: id, table_name: `'findings'`, rows: 1, bytes: 1 };
      for (let time = 0; time < 2; time++) await addRow('stored_rows', given);
    },
    done: `(SELECT count(*) FROM stored_rows r WHERE r.organization_id = o.id AND r.table_name = 'findings') = 1`,
  },
  'notification.accounts': {
    table: 'personal_notices',
    operation: 'INSERT',
    due: async (tenant) => {
      await tenant.as('admin');
      const { id } = await make.asset(tenant.id);
      const given = { organization_id: tenant.id, asset_id: id, launch_role: `'admin'`, expires: 'now()' };
      await addRow('asset_accounts', given);
    },
    done: some('personal_notices'),
  },
  'notification.channels': {
    table: 'channel_messages',
    operation: 'INSERT',
    due: async (tenant) => {
      await addRow('channels', { organization_id: tenant.id, ...channel });
      await withFinding(tenant);
    },
    done: some('channel_messages'),
  },
  'notification.due_soon': {
    table: 'personal_notices',
    operation: 'INSERT',
    due: async (tenant) => {
      const { userId } = await tenant.as('member');
      await query(
        `INSERT INTO mail_preferences (organization_id, user_id, kinds) VALUES ($1, $2, '{due_soon}')
         ON CONFLICT (user_id, organization_id) DO UPDATE SET kinds = excluded.kinds`,
        [tenant.id, userId],
      );
      const { id } = await make.finding(tenant.id);
      await query('UPDATE findings SET assignee_id = $2, due_date = now() WHERE id = $1', [id, userId]);
    },
    done: some('personal_notices'),
  },
  'notification.forget': {
    ...removedRow('personal_notices', {}),
    due: async (tenant) => {
      const { userId } = await tenant.as('member');
      await addRow('personal_notices', { organization_id: tenant.id, user_id: userId, created: OLD });
    },
  },
  'notification.forget_messages': removedChild('channels', 'channel_id', 'channel_messages', {
    parent: channel,
    row: { created: OLD, taken: OLD },
  }),
  'notification.plan': {
    table: 'notification_settings',
    operation: 'INSERT',
    due: withFinding,
    done: some('notification_settings', 'r.position > 0'),
  },
  'report.forget_files': removedRow('report_files', { created: OLD }),
  'schedule.confirmations': {
    table: 'schedules',
    operation: 'UPDATE',
    due: async ({ id }) => addRow('schedules', { organization_id: id, ...schedule, maker_id: await make.user() }),
    done: some('schedules', 'r.confirm_by IS NOT NULL'),
  },
  'schedule.due': {
    table: 'schedule_runs',
    operation: 'INSERT',
    due: async (tenant) => {
      const { userId } = await tenant.as('admin');
      await addRow('schedules', { organization_id: tenant.id, ...schedule, maker_id: userId, next_due: OLD });
    },
    done: some('schedule_runs'),
  },
  'schedule.forget_runs': removedChild('schedules', 'schedule_id', 'schedule_runs', {
    parent: schedule,
    row: { status: `'finished'`, ended: OLD },
  }),
  'tracker.due': {
    table: 'tickets',
    operation: 'INSERT',
    due: async (tenant) => {
      await addRow('trackers', { organization_id: tenant.id, ...tracker });
      await withFinding(tenant);
    },
    done: some('tickets'),
  },
  'webhook.due': {
    table: 'webhook_deliveries',
    operation: 'INSERT',
    due: async (tenant) => {
      await addRow('webhooks', { organization_id: tenant.id, ...webhook });
      await withFinding(tenant);
    },
    done: some('webhook_deliveries'),
  },
  'webhook.forget': removedChild('webhooks', 'webhook_id', 'webhook_deliveries', {
    parent: webhook,
    row: { state: `'delivered'`, ended: OLD },
  }),
  'work.forget': removedRow('work', { state: `'done'`, finished: OLD }),
};

/** Tasks that no row of an organization can stop. */
const OF_NO_TENANT: Readonly<Record<string, string>> = {
  'audit_log.partitions': 'adds empty partitions',
  'feed.removal': 'adds and drops partitions',
  'identity.access_changes': 'removes rows that only say when a right of any key changed',
  'finding.words': 'once after an upgrade, in one statement that computes nothing of a tenant in this process',
  'work.workers_seen': 'runs nothing: its row says when a worker was last there',
  'callback.past': 'deletes calls of names, which belong to no organization',
  'retest.past_paces': 'deletes rows of hosts, which belong to no organization',
};

const run = (name: string): Promise<void> => {
  const task = api.app.get(WorkRegistry).scheduledTasks.find((one) => one.name === name);
  if (task === undefined) throw new Error(`there is no task ${name}`);
  return task.run();
};

const isDone = async ({ id }: Tenant, { done }: Case): Promise<boolean> =>
  (await query(`SELECT 1 FROM organizations o WHERE o.id = ${id} AND ${done}`)).length > 0;

const setAsideOf = ({ id }: Tenant) =>
  query<{ task: string; failures: number; minutes: number }>(
    `SELECT task, failures, round(extract(epoch FROM retry_at - now()) / 60)::int AS minutes
     FROM set_aside_tasks WHERE organization_id = $1`,
    [id],
  );

const endPause = ({ id }: Tenant) =>
  query(`UPDATE set_aside_tasks SET retry_at = now() - interval '1 second' WHERE organization_id = $1`, [id]);

/** Each with something due, the first one with data that the task fails with. */
async function poisonedAndOther(given: Case, how?: 'hangs') {
  const poisoned = await make.organization();
  const other = await make.organization();
  for (const tenant of [poisoned, other]) await given.due(tenant);
  expect([await isDone(poisoned, given), await isDone(other, given)]).toEqual([false, false]);
  return { poisoned, other, end: await poison(given.table, given.operation, poisoned.id, how) };
}

it('every scheduled task is in the table, or is not about data of organizations', () => {
  const names = api.app.get(WorkRegistry).scheduledTasks.map(({ name }) => name);
  expect([...Object.keys(CASES), ...Object.keys(OF_NO_TENANT)].sort()).toEqual(names.sort());
});

it.each(Object.entries(CASES))('one organization cannot stop %s for another one', async (name, given) => {
  const { poisoned, other, end } = await poisonedAndOther(given);
  try {
    await run(name);
    expect([await isDone(poisoned, given), await isDone(other, given)]).toEqual([false, true]);
    await given.due(await make.organization());
    await run(name);
    expect((await setAsideOf(poisoned)).filter(({ failures }) => failures > 1)).toHaveLength(1);
    expect(await setAsideOf(other)).toEqual([]);
  } finally {
    await end();
  }
  await endPause(poisoned);
  await run(name);
  expect([await isDone(poisoned, given), await setAsideOf(poisoned)]).toEqual([true, []]);
});

it.each(['feed.append', 'webhook.due', 'schedule.due', 'work.forget'])(
  'one organization whose statements hang cannot stop %s for another one',
  async (name) => {
    const given = CASES[name] as Case;
    const { poisoned, other, end } = await poisonedAndOther(given, 'hangs');
    try {
      await run(name);
      expect([await isDone(poisoned, given), await isDone(other, given)]).toEqual([false, true]);
    } finally {
      await end();
    }
  },
);

it('the pauses of an organization grow, and after the next attempt the feed has all its entries in order', async () => {
  const given = CASES['feed.append'] as Case;
  const { poisoned, end } = await poisonedAndOther(given);
  const pauses: number[] = [];
  for (let time = 0; time < 4; time++) {
    await endPause(poisoned);
    for (const tenant of [poisoned, await make.organization()]) await given.due(tenant);
    await run('feed.append');
    pauses.push((await setAsideOf(poisoned))[0]?.minutes ?? -1);
  }
  await end();
  expect(pauses).toEqual([0, 1, 5, 25]);
  await endPause(poisoned);
  await run('feed.append');
  const findings = await query<{ id: number }>('SELECT id FROM findings WHERE organization_id = $1 ORDER BY id', [
    poisoned.id,
  ]);
  const entries = await query<{ position: number; id: number }>(
    `SELECT position::int AS position, record_id::int AS id FROM feed_entries
     WHERE organization_id = $1 AND type = 'finding.created' ORDER BY position`,
    [poisoned.id],
  );
  expect(entries.map(({ id }) => id)).toEqual(findings.map(({ id }) => id));
  const [kept] = await query<{ newest: number; count: number }>(
    `SELECT p.newest::int AS newest, (SELECT count(*)::int FROM feed_entries e WHERE e.organization_id = p.organization_id) AS count
     FROM feed_positions p WHERE organization_id = $1`,
    [poisoned.id],
  );
  expect(kept?.newest).toBe(kept?.count);
});
