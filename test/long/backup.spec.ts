import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/platform/database/migrate';
import { type RunningApi, startApi } from '../support/api';
import { useContract } from '../support/contract';
import { Factories, unique } from '../support/factories';
import { InstalledPostgres, describeWithInstalledPostgres } from '../support/installed-postgres';

/** The number of rows of each table, and all audit entries. */
const CONTENTS = `
  SELECT (SELECT json_agg(l ORDER BY l.id, l.organization_id) FROM audit_logs l)::text AS audit_log,
    (SELECT json_object_agg(tablename,
       (xpath('/row/c/text()', query_to_xml(format('SELECT count(*) AS c FROM %I', tablename), false, true, '')))[1]::text
       ORDER BY tablename)
     FROM pg_tables WHERE schemaname = 'public')::text AS counts`;

describeWithInstalledPostgres('a backup', () => {
  const postgres = new InstalledPostgres();
  let api: RunningApi;
  let make: Factories;

  beforeAll(async () => {
    postgres.create('primary');
    await postgres.start('primary', {
      archive_mode: 'on',
      archive_command: `cp %p ${postgres.archive}/%f`,
    });
    await postgres.query('primary', 'CREATE ROLE assay_owner LOGIN CREATEDB', 'postgres');
    await postgres.query('primary', 'CREATE ROLE assay_app LOGIN', 'postgres');
    await postgres.query('primary', 'CREATE DATABASE assay OWNER assay_owner', 'postgres');
    // The role that restores may not create it.
    await postgres.query('primary', 'CREATE EXTENSION pg_stat_statements', 'assay');
    const appUrl = postgres.url('primary', 'assay_app');
    await migrate({ migrationUrl: postgres.url('primary', 'assay_owner'), appUrl });
    api = await startApi({ DATABASE_URL: appUrl });
    useContract(api.app);
    make = new Factories(api);
    const { id } = await make.organization();
    for (let at = 0; at < 20; at++) await make.finding(id);
  });
  afterAll(async () => {
    await api?.app.close();
    await postgres.remove();
  });

  async function rehearse(environment: Record<string, string> = {}): Promise<{ code: unknown; output: string }> {
    const child = spawn(process.execPath, [join(__dirname, '../../bin/rehearse-restore.mjs')], {
      env: {
        ...process.env,
        ...postgres.environment,
        MIGRATION_DATABASE_URL: postgres.url('primary', 'assay_owner'),
        RESTORE_DATABASE_URL: postgres.url('primary', 'assay_owner', 'postgres'),
        ...environment,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    const [code] = await once(child, 'close');
    return { code, output };
  }

  const copies = (): Promise<object[]> =>
    postgres.query('primary', `SELECT datname FROM pg_database WHERE datname LIKE 'assay_restore%'`);

  it('by pg_dump is restored identically while the service writes, and the copy is removed', async () => {
    const { client } = await make.integrator();
    const finished = new AbortController();
    let written = 0;
    const writing = (async () => {
      while (!finished.signal.aborted) {
        expect((await client.post('/v1/organizations/', { name: unique('During the dump') })).status).toBe(201);
        written++;
      }
    })();
    const { code, output } = await rehearse();
    finished.abort();
    await writing;
    expect(output).toMatch(/audit_logs +[1-9]\d* rows {2}identical/);
    expect(output).toMatch(/The dump was restored: all \d+ tables are identical/);
    expect(code).toBe(0);
    expect(written).toBeGreaterThan(0);
    expect(await copies()).toEqual([]);
  });

  it('that lacks the rows of a table is reported with the table', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-restore-test-'));
    const { PATH = '' } = postgres.environment;
    const real = join(PATH.split(':')[0] ?? '', 'pg_restore');
    // The dump is the last argument.
    const withoutHistory = `for dump; do :; done; "${real}" --list "$dump" | grep -v 'TABLE DATA public finding_history' > "${folder}/list"`;
    writeFileSync(
      join(folder, 'pg_restore'),
      `#!/bin/sh\n${withoutHistory}\nexec "${real}" -L "${folder}/list" "$@"\n`,
    );
    chmodSync(join(folder, 'pg_restore'), 0o755);
    const { code, output } = await rehearse({ PATH: `${folder}:${PATH}` });
    rmSync(folder, { recursive: true });
    expect(output).toMatch(/finding_history +[1-9]\d* rows {2}DIFFERENT: 0 rows in the copy/);
    expect(output).toMatch(/1 of \d+ tables differ/);
    expect(code).toBe(1);
    expect(await copies()).toEqual([]);
  });

  it('says what is missing if a URL is not set', async () => {
    const { code, output } = await rehearse({ RESTORE_DATABASE_URL: '' });
    expect(output).toContain('Set MIGRATION_DATABASE_URL and RESTORE_DATABASE_URL.');
    expect(code).toBe(1);
  });

  it('by base backup and archived log is restored to a point in time before a mistake', async () => {
    const { id } = await make.organization();
    postgres.run(
      'pg_basebackup',
      '-d',
      postgres.url('primary', 'postgres', 'postgres'),
      '-D',
      join(postgres.folder, 'copy'),
      '-c',
      'fast',
    );
    // Only the archived log has these.
    for (let at = 0; at < 20; at++) await make.finding(id);
    const before = await postgres.query('primary', CONTENTS, 'assay');
    await postgres.query('primary', `SELECT pg_create_restore_point('before_the_mistake')`, 'assay');
    await postgres.query('primary', 'DELETE FROM finding_history', 'assay');
    const [switched] = await postgres.query<{ segment: string }>(
      'primary',
      'SELECT pg_walfile_name(pg_switch_wal()) AS segment',
    );
    expect(await postgres.query('primary', CONTENTS, 'assay')).not.toEqual(before);
    // The server completes the archive before it stops.
    await api.app.close();
    await postgres.stop('primary');

    appendFileSync(
      join(postgres.folder, 'copy', 'postgresql.auto.conf'),
      `restore_command = 'cp ${postgres.archive}/%f %p'\n` +
        `recovery_target_name = 'before_the_mistake'\nrecovery_target_action = 'promote'\n`,
    );
    writeFileSync(join(postgres.folder, 'copy', 'recovery.signal'), '');
    await postgres.start('copy', { archive_mode: 'off' });
    expect(switched?.segment).toMatch(/^[0-9A-F]{24}$/);
    expect(await postgres.query('copy', CONTENTS, 'assay')).toEqual(before);

    // The service works on the restored database.
    api = await startApi({ DATABASE_URL: postgres.url('copy', 'assay_app') });
    useContract(api.app);
    const restored = await new Factories(api).integrator();
    expect((await restored.client.post('/v1/organizations/', { name: unique('Restored') })).status).toBe(201);
  });
});
