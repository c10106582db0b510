import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ProcessUser } from '../../src/apps/postgres/process-user';
import { eventually } from '../support/eventually';
import { describeWithInstalledPostgres, InstalledPostgres } from '../support/installed-postgres';

const PASSWORD = 'secret-of-replicator';
/** With the usual port, which other servers of this machine do not have there. */
const ADDRESS = '127.83.7.1';

/** The blocks of a section of docs/scale.md, in their order: two of SQL, pg_hba.conf, a shell, and so on. */
function blocksOf(section: string): string[] {
  const [, text = ''] = readFileSync(resolve(__dirname, '../../docs/scale.md'), 'utf8').split(`### ${section}\n`);
  const [own = ''] = text.split(/^##+ /m);
  return Array.from(own.matchAll(/```\w*\n([^]*?)```/g), ([, block = '']) => block);
}

describeWithInstalledPostgres('the replica of docs/scale.md', () => {
  const postgres = new InstalledPostgres();
  const user = ProcessUser.choose();
  afterAll(() => postgres.remove());

  it('is set up by the commands there, follows the primary, and confirms its changes', async () => {
    const [create = '', hba = '', copy = '', check = '', synchronous = ''] = blocksOf('Set up a replica');
    const on = (text: string): string =>
      text
        .replaceAll('…', PASSWORD)
        .replaceAll(/\bdb1\b/g, ADDRESS)
        .replaceAll('sslmode=require', 'sslmode=disable');
    const onPrimary = async (sql: string) => {
      const rows: Record<string, unknown>[] = [];
      for (const statement of sql.split(';').filter((one) => one.trim() !== ''))
        rows.push(...(await postgres.query<Record<string, unknown>>('primary', statement, 'postgres')));
      return rows;
    };
    postgres.create('primary');
    const line = hba.replace('hostssl', 'host').replace('10.0.0.12/32', '127.0.0.0/8');
    writeFileSync(join(postgres.folder, 'primary', 'pg_hba.conf'), `local all all trust\n${line}`);
    await postgres.start('primary', { listen_addresses: ADDRESS });
    await onPrimary(on(create));

    const home = join(postgres.folder, 'home');
    mkdirSync(home);
    user.changeOwner(home);
    const script = join(postgres.folder, 'copy.sh');
    writeFileSync(script, `set -e\nexport HOME='${home}' PGDATA='${join(postgres.folder, 'db2')}'\n${on(copy)}`);
    execFileSync('chmod', ['644', script]);
    const environment = `PATH=${postgres.environment['PATH']}`;
    if (user.output('/usr/bin/env', environment, '/bin/sh', script) === undefined) throw new Error('the copy failed');
    await postgres.start('db2', {});
    await eventually(async () =>
      expect(await onPrimary(check)).toMatchObject([{ application_name: 'db2', state: 'streaming' }]),
    );
    expect(await onPrimary('SELECT slot_name, active FROM pg_replication_slots')).toEqual([
      { slot_name: 'db2', active: true },
    ]);
    expect(await postgres.query('db2', 'SHOW hot_standby_feedback', 'postgres')).toEqual([
      { hot_standby_feedback: 'on' },
    ]);

    await onPrimary(synchronous);
    await eventually(async () => expect(await onPrimary(check)).toMatchObject([{ sync_state: 'quorum' }]));
    await onPrimary('CREATE TABLE confirmed AS SELECT 7 AS number');
    await eventually(async () =>
      expect(await postgres.query('db2', 'SELECT number FROM confirmed', 'postgres')).toEqual([{ number: 7 }]),
    );
  });
});
