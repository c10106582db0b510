import { spawnSync } from 'node:child_process';
import { runCommand } from '../../src/apps/cli/run-command';
import { schemaState } from '../../src/platform/database/schema-state';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { startWorker, useApi } from '../support/api';
import { BlockingTestWork } from '../support/blocking-test-work';
import { emptyDatabase, query, queryOnce, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories, unique } from '../support/factories';
import { signedInAs, usePortal } from '../support/portal';
import { programOf } from '../support/programs';

const launchable = '127.0.0.1:8080';
const api = useApi({ EGRESS_ALLOW: launchable });
const portal = usePortal(api);
const make = new Factories(api);

// Canceled, so that workers of other tests do not run it.
afterEach(() =>
  query(
    `UPDATE work SET state = 'canceled', lease_until = NULL, finished = now() WHERE state IN ('waiting', 'running')`,
  ),
);

async function settings(): Promise<Record<string, string>> {
  const { appUrl, ownerUrl } = await testDatabase();
  return { DATABASE_URL: appUrl, MIGRATION_DATABASE_URL: ownerUrl, DATABASE_TIMEOUT_MS: '30000' };
}

/** Runs a command in this process, and returns its exit code and what it printed. */
async function admin(parameters: string[], more: Record<string, string> = {}) {
  const environment = { ...process.env };
  Object.assign(process.env, await settings(), more);
  let output = '';
  const writes = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((chunk) => {
      output += String(chunk);
      return true;
    }),
  );
  try {
    return { code: await runCommand(parameters), output };
  } finally {
    for (const write of writes) write.mockRestore();
    process.env = environment;
  }
}

async function json<T>(parameters: string[]): Promise<T> {
  return JSON.parse((await admin([...parameters, '--json'])).output) as T;
}

const stateOf = async (id: string): Promise<string | undefined> =>
  (await query<{ state: string }>('SELECT state FROM work WHERE id = $1', [id]))[0]?.state;

describe('a short command', () => {
  it.each([
    [['set-limits', '1'], /node_modules\/(@nestjs|typeorm)|src\/modules\//],
    [['list-organizations'], /node_modules\/(@nestjs|typeorm)|src\/modules\//],
    [['revoke-key', 'ak_unknown'], /src\/modules\/(findings|assets|jobs|reports)\//],
  ])('loads only what it needs: %j', async (parameters, unneeded) => {
    const script = `
      process.argv.splice(1, 0, 'cli');
      process.on('exit', () => process.stdout.write('\\n' + Object.keys(require.cache).join(' ')));
      require(${JSON.stringify(programOf('cli'))});`;
    const { stdout } = spawnSync(process.execPath, ['-e', script, '--', ...parameters], {
      encoding: 'utf8',
      env: { ...process.env, ...(await settings()) },
    });
    const loaded = stdout.split('\n').at(-1)?.split(' ') ?? [];
    expect(loaded.length).toBeGreaterThan(20);
    expect(loaded.filter((file) => unneeded.test(file))).toEqual([]);
  });
});

describe('list-organizations and show-organization', () => {
  it('show what an organization stores, its keys and its unfinished work, and nothing of its findings', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('member');
    const { value } = await make.domain(tenant.id, { verified: true });
    const { uuid } = (await client.post('/v1/jobs/launch', { url: `https://${value}/` })).body;
    expect(uuid).toBeDefined();
    await make.finding(tenant.id, { title: 'A secret title' });
    await eventually(async () =>
      expect(
        await query(
          'SELECT 1 FROM api_keys WHERE last_used IS NOT NULL AND user_id IN (SELECT user_id FROM memberships WHERE organization_id = $1)',
          [tenant.id],
        ),
      ).not.toEqual([]),
    );
    const listed = (await json<{ id: number }[]>(['list-organizations'])).find(({ id }) => id === tenant.id);
    expect(listed).toMatchObject({ name: tenant.name, assets: 1, findings: 1, unfinished_work: 1, suspended: null });
    const shown = await admin(['show-organization', String(tenant.id)]);
    expect(shown.code).toBe(0);
    expect(shown.output).toContain(tenant.name);
    expect(shown.output).toMatch(/^findings +1 +1000000 +0 %$/m);
    expect(shown.output).toMatch(/^job +waiting +1 /m);
    expect(shown.output).toMatch(/^ak_\w+ /m);
    expect(shown.output).not.toContain('A secret title');
    expect(await json(['show-organization', String(tenant.id)])).toMatchObject({
      keys: expect.arrayContaining([expect.objectContaining({ scopes: ['write'], last_used: expect.any(String) })]),
      work: [{ kind: 'job', state: 'waiting', count: 1 }],
    });
    expect(await admin(['show-organization', '2000000000'])).toEqual({ code: 1, output: 'Organization not found.\n' });
  });

  it('do not let the name of an organization control the terminal', async () => {
    const { id } = await make.organization();
    await query('UPDATE organizations SET name = $2 WHERE id = $1', [id, `red \u001b[31m ${unique('name')}`]);
    expect((await admin(['list-organizations'])).output).not.toContain('\u001b');
  });
});

describe('suspend-organization', () => {
  const held = 'The organization is suspended: it can be read, but not changed. Ask the operator of this service.';

  it('refuses changes and holds work until resume-organization, and both are in the audit log of the organization', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    await make.asset(tenant.id, { value: `http://${launchable}/`, type: 'url' });
    const { uuid } = (await client.post('/v1/jobs/launch', { url: `http://${launchable}/` })).body;
    const suspended = await admin(['suspend-organization', String(tenant.id), '--reason', 'Unpaid invoice']);
    expect(suspended).toEqual({ code: 0, output: `Organization ${tenant.id} is suspended.\n` });
    expect((await admin(['suspend-organization', String(tenant.id)])).output).toContain('was suspended already');

    const asset = { organization_id: tenant.id, asset_value: 'held.example.com', asset_type: 'domain' };
    const refused = await client.post('/v1/assets/', asset);
    expect(refused.status).toBe(403);
    expect(refused.body.description).toBe(held);
    expect((await client.get(`/v1/organizations/${tenant.id}/assets/`)).body.assets).toHaveLength(1);

    const worker = await startWorker({ WORK_SWEEP_SECONDS: '0.2' });
    try {
      const other = await make.organization();
      const { client: others } = await other.as('member');
      await make.asset(other.id, { value: `http://${launchable}/`, type: 'url' });
      const theirs = (await others.post('/v1/jobs/launch', { url: `http://${launchable}/` })).body.uuid;
      // Later work of another organization is done, so a worker has seen that of this one.
      await eventually(
        async () => expect(['FINISHED', 'ERROR']).toContain((await others.get(`/v1/jobs/${theirs}`)).body.job.status),
        60_000,
      );
      const job = (await client.get(`/v1/jobs/${uuid}`)).body.job;
      expect(job).toMatchObject({ status: 'PENDING', waiting: { reason: 'the organization is suspended' } });
      const success = await client.get(`/v1/jobs/${uuid}/success`);
      expect([success.status, success.body.success]).toEqual([200, false]);
      expect(success.body.description).toContain('The organization is suspended');

      const resumed = await admin(['resume-organization', String(tenant.id)]);
      expect(resumed).toEqual({ code: 0, output: `Organization ${tenant.id} is active again.\n` });
      await eventually(
        async () => expect(['FINISHED', 'ERROR']).toContain((await client.get(`/v1/jobs/${uuid}`)).body.job.status),
        60_000,
      );
    } finally {
      await worker.stop();
    }
    expect((await admin(['resume-organization', String(tenant.id)])).output).toContain('was not suspended');
    expect((await client.post('/v1/assets/', asset)).status).toBe(201);
    const { body } = await client.get('/v1/audit-logs/?operation_category=organizations');
    expect(
      (body.audit_logs as { operation: string; actor_type: string; metadata: object }[])
        .filter(({ operation }) => operation !== 'organization.create')
        .map(({ operation, metadata }) => [operation, metadata]),
    ).toEqual([
      ['organization.resume', { via: 'cli' }],
      ['organization.suspend', { reason: 'Unpaid invoice', via: 'cli' }],
    ]);
    expect((await client.get('/v1/audit-logs/?operation=asset.create&status=failure')).body.total).toBe(1);
  });

  it('hands back running work, which continues after resume-organization without a counted failure', async () => {
    const { id } = await make.organization();
    const work = new BlockingTestWork();
    const worker = await startWorker({ WORK_SWEEP_SECONDS: '0.2' });
    try {
      work.registerWith(worker);
      const reference = await work.add();
      await query('UPDATE work SET organization_id = $2 WHERE reference = $1', [reference, id]);
      await eventually(async () => expect((await work.row(reference)).state).toBe('running'));
      await admin(['suspend-organization', String(id)]);
      expect(await work.row(reference)).toMatchObject({ state: 'waiting', failures: 0 });
      await admin(['resume-organization', String(id)]);
      await eventually(async () => expect(await work.row(reference)).toMatchObject({ state: 'running', failures: 0 }));
      work.release();
      await eventually(async () => expect((await work.row(reference)).state).toBe('done'));
    } finally {
      await worker.stop();
    }
  });

  it('shows a sentence on every page of the portal, whose forms are refused with it', async () => {
    const tenant = await make.organization();
    const browser = await signedInAs(api, portal, await tenant.as('admin'));
    const page = `/o/${tenant.id}/settings/findings`;
    const banner = 'This organization is suspended: it can be read, but not changed.';
    expect((await browser.get(page)).text).not.toContain(banner);
    await admin(['suspend-organization', String(tenant.id)]);
    expect((await browser.get(page)).text).toContain(banner);
    const refused = await browser.submit(page, page, { critical: '1', high: '2', medium: '3', low: '4' });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain(held);
  });

  it('lets the integrator delete the organization', async () => {
    const { client } = await make.integrator();
    const { id } = (await client.post('/v1/organizations/', { name: unique('Held') })).body;
    await admin(['suspend-organization', String(id)]);
    expect((await client.delete(`/v1/organizations/${id}/`)).status).toBe(200);
  });

  it('does not count held work as work that waits too long', async () => {
    const { id } = await make.organization();
    await query(
      `INSERT INTO work (kind, reference, organization_id, run_at) VALUES ('job', 'held', $1, now() - interval '1 hour')`,
      [id],
    );
    const oldest = async () =>
      (await json<{ work: { kind: string; oldest_seconds: number }[] }>(['status'])).work.find(
        ({ kind }) => kind === 'job',
      )?.oldest_seconds;
    expect(await oldest()).toBeGreaterThan(3_000);
    await admin(['suspend-organization', String(id)]);
    expect(await oldest()).toBe(0);
    expect((await admin(['list-work', '--organization', String(id)])).output).toMatch(/ held /);
  });
});

describe('list-work, retry-work and cancel-work', () => {
  const add = async (kind: string, reference: string, organizationId: number, state = 'waiting'): Promise<string> => {
    const [row] = await query<{ id: string }>(
      `INSERT INTO work (kind, reference, organization_id, state, run_at, finished, error)
       VALUES ($1, $2, $3, $4, now() + interval '1 hour', CASE WHEN $4 = 'failed' THEN now() END, CASE WHEN $4 = 'failed' THEN 'It broke.' END)
       RETURNING id`,
      [kind, reference, organizationId, state],
    );
    return row?.id ?? '';
  };

  it('cancel a job, which then shows the reason to its organization', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { value } = await make.domain(tenant.id, { verified: true });
    const { uuid } = (await client.post('/v1/jobs/launch', { url: `https://${value}/` })).body;
    const [work] = await json<{ id: string; reference: string }[]>([
      'list-work',
      '--kind',
      'job',
      '--organization',
      String(tenant.id),
    ]);
    expect(work?.reference).toBe(uuid);
    const canceled = await admin(['cancel-work', work?.id ?? '']);
    expect(canceled).toEqual({ code: 0, output: `job ${uuid} is canceled.\n` });
    expect((await client.get(`/v1/jobs/${uuid}`)).body.job).toMatchObject({
      status: 'ERROR',
      error: 'The operator of the service has canceled it.',
    });
    const { body } = await client.get(`/v1/audit-logs/?resource_id=${uuid}&status=failure`);
    expect(body.audit_logs).toMatchObject([{ metadata: { via: 'cli' } }]);
    expect(await admin(['cancel-work', work?.id ?? ''])).toEqual({
      code: 1,
      output: 'It has ended already: failed.\n',
    });
    expect(await admin(['retry-work', work?.id ?? ''])).toEqual({
      code: 1,
      output: expect.stringContaining('Work of kind job cannot be run again: its record has ended with the failure.'),
    });
  });

  it('let work that waits for its next attempt run now, with an audit entry', async () => {
    const { id, as } = await make.organization();
    const { client } = await as('admin');
    const work = await add('finding.due_dates', String(id), id);
    expect((await admin(['retry-work', work])).code).toBe(0);
    expect(await query('SELECT 1 FROM work WHERE id = $1 AND run_at <= now()', [work])).toHaveLength(1);
    const { body } = await client.get('/v1/audit-logs/?operation=settings.retry_work');
    expect(body.audit_logs).toMatchObject([{ metadata: { work: 'finding.due_dates', via: 'cli' } }]);
  });

  it('add failed work again once, if its record has not ended', async () => {
    const { id } = await make.organization();
    const failed = await add('finding.due_dates', String(id), id, 'failed');
    expect((await admin(['list-work', '--state', 'failed', '--organization', String(id)])).output).toContain(
      'It broke.',
    );
    expect((await admin(['retry-work', failed])).code).toBe(0);
    const waiting = await query<{ id: string }>(
      `SELECT id FROM work WHERE organization_id = $1 AND state = 'waiting' AND run_at <= now()`,
      [id],
    );
    expect(waiting).toHaveLength(1);
    expect((await admin(['retry-work', failed])).output).toContain('waits or runs already');
    expect(await stateOf(failed)).toBe('failed');
  });

  it.each([['retry-work'], ['cancel-work']])('%s says that there is no such work', async (command) => {
    expect(await admin([command, '2000000000'])).toEqual({ code: 1, output: 'Work not found.\n' });
  });

  it('name repeatable kinds that have handlers', () => {
    const registry = api.app.get(WorkRegistry);
    const repeatable = registry.kinds.filter((kind) => registry.handlerOf(kind).isRepeatable === true);
    expect(repeatable).toEqual(expect.arrayContaining(['finding.due_dates', 'domain.lookup']));
    expect(repeatable).not.toContain('job');
  });
});

describe('status', () => {
  it('lists each process with its version, and the problems with what to do', async () => {
    await query(`INSERT INTO work (kind, reference, run_at) VALUES ('mail.send', 'old', now() - interval '1 hour')`);
    const { code, output } = await admin(['status'], {
      REDIS_URL: 'redis://127.0.0.1:1',
      DATABASE_REPLICA_URLS: 'postgres://nobody@127.0.0.1:1/none',
    });
    expect(code).toBe(1);
    expect(output).toMatch(/^- No worker is connected: start one\.$/m);
    expect(output).toMatch(/^- Work of kind mail\.send has been waiting for 60 minutes: run more workers/m);
    expect(output).toMatch(/^- Redis is unreachable \(.*ECONNREFUSED/m);
    expect(output).toMatch(/^- The replica 127\.0\.0\.1:1 cannot be read: .*ECONNREFUSED/m);
    expect(output).toContain('Audit log: partitions for 3 months ahead');
    expect(output).toContain('Schema: complete');
  });

  it('says that the database cannot be read, and that migrations are missing', async () => {
    const away = await admin(['status'], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    expect(away).toEqual({
      code: 1,
      output: expect.stringMatching(/- The database in DATABASE_URL cannot be read: .*ECONNREFUSED/),
    });
    const [last] = await query<{ name: string; timestamp: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING name, timestamp',
    );
    try {
      expect((await admin(['status'])).output).toContain('- The schema lacks 1 migrations: run migrate.');
      expect((await admin(['migrate', '--dry-run'])).output).toBe(`Would migrate: ${last?.name}\n`);
      expect((await admin(['migrate', '--list'])).output).toMatch(
        new RegExp(`Ran: CreateSchema[^]*\nWaits: ${last?.name}\n$`),
      );
    } finally {
      await query('INSERT INTO migrations (name, timestamp) VALUES ($1, $2)', [last?.name, last?.timestamp]);
    }
  });
});

describe('migrate', () => {
  it('makes a new schema in an empty database of production only with --new', async () => {
    const url = await emptyDatabase();
    const empty = { DATABASE_URL: url, MIGRATION_DATABASE_URL: url, NODE_ENV: '' };
    const tables = () => queryOnce(url, `SELECT 1 FROM pg_tables WHERE schemaname = 'public'`);
    const planned = (await admin(['migrate', '--dry-run'], empty)).output.trim().split('\n');
    expect(planned).toEqual(schemaState([]).missing.map((name) => `Would migrate: ${name}`));
    expect(await admin(['migrate'], empty)).toEqual({
      code: 1,
      output: 'The database has no schema. Add --new for a new installation, or restore the backup first.\n',
    });
    expect(await tables()).toEqual([]);
    expect((await admin(['migrate', '--new'], empty)).code).toBe(0);
    expect((await admin(['migrate'], empty)).output).toBe('The schema is up to date.\n');
  });
});
