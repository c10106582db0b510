import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as PostgresClient } from 'pg';
import { EmbeddedPostgres } from '../../src/apps/postgres/embedded-postgres';
import { eventually } from '../support/eventually';
import { LocalAssay, localSettings, localTimeoutMs, outputOfPrintedCommands } from '../support/local-assay';
import { VulnerableSite } from '../support/vulnerable-site';

const git = 'A Git repository is public';
const local = new LocalAssay();
const ownApplication = new VulnerableSite();
ownApplication.state = 'exposed';
const withTarget = ['--target', ownApplication.url.replace('127.0.0.1', 'localhost')];
let environment: Record<string, string>;

beforeAll(async () => {
  environment = await localSettings();
  await ownApplication.start();
  await local.start(environment, withTarget);
});
afterAll(async () => {
  await local.remove();
  await ownApplication.stop();
});

const target = (): string => local.demo.demo_target_url ?? '';

const statusOfJob = async (uuid: string): Promise<string> =>
  (await local.request('GET', `/jobs/${uuid}`)).body.job.status;

describe('a later start of the demo', () => {
  /** The finding of the Git repository. */
  let found: number;
  /** The UUID of a job. */
  let interrupted: string;

  it('hands back a job that is running when it stops', async () => {
    const { uuid } = (await local.request('POST', '/jobs/launch', { url: target() })).body;
    await eventually(async () => expect(await statusOfJob(uuid)).toBe('FINISHED'), localTimeoutMs);
    found = await local.findingOf(`/organizations/${local.ours.id}/findings/`, git);
    await local.stop();
    await local.start({ ...environment, ENGINE_REQUESTS_PER_SECOND: '1' });
    ({ uuid: interrupted } = (await local.request('POST', '/jobs/launch', { url: target() })).body);
    await eventually(async () => expect(await statusOfJob(interrupted)).toBe('IN_PROGRESS'), localTimeoutMs);
    await local.stop();
    const postgres = await EmbeddedPostgres.start({ dataDir: local.dataDir });
    const client = new PostgresClient({ connectionString: postgres.url() });
    await client.connect();
    const { rows } = await client.query(`SELECT state, failures FROM work WHERE kind = 'job' AND state <> 'done'`);
    await client.end();
    await postgres.stop();
    expect(rows).toEqual([{ state: 'waiting', failures: 0 }]);
  });

  it('works with a data folder of a version without demo target and secret key', async () => {
    await local.start(environment, withTarget);
    expect(await local.resultOfRetest(`/findings/${found}`)).toBe('still_vulnerable');
    await local.stop();
    const before = local.ours;
    const { demo_target_url: _target, ...older } = local.demo;
    writeFileSync(join(local.dataDir, 'demo.json'), JSON.stringify(older));
    for (const name of ['secret-key', 'secret-key.sha256']) rmSync(join(local.dataDir, name));
    await local.start(environment, withTarget);
    // Evidence is signed with a new key.
    expect(await local.resultOfRetest(`/findings/${found}`)).toBe('still_vulnerable');
    expect(await local.statusOf(found)).toEqual([1, null]);
    expect((await local.request('GET', '/evidence-keys')).body.keys).toHaveLength(2);
    expect(local.ours).toEqual(before);
  });

  it('runs the job that the stop interrupted to its end', async () => {
    await eventually(async () => expect(await statusOfJob(interrupted)).toBe('FINISHED'), localTimeoutMs);
  });

  it('tests the application of --target with the printed commands, also after a restart', async () => {
    const output = await outputOfPrintedCommands(local);
    expect(output).toMatch(/\{"status":"FINISHED"\}/);
    expect(output).toContain('"title": "A Git repository is public"');
    expect(output).toMatch(/\{"success":false,"description":"Findings of at least high severity: 1 found by this job/);
    const { assets } = (await local.request('GET', `/organizations/${local.ours.id}/assets/?per_page=100`)).body;
    expect(assets.filter(({ value }: { value: string }) => value.endsWith(`:${ownApplication.port}/`))).toHaveLength(1);
  });

  it('explains in the job that the application of --target does not run', async () => {
    await ownApplication.stop();
    const output = await outputOfPrintedCommands(local);
    expect(output).toMatch(/\{"status":"ERROR"\}/);
    expect(output).toMatch(/nothing could be tested: http:\/\/localhost:\d+\/: the connection was refused/);
  });
});
