import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { DemoTarget } from '../../src/apps/local/demo-target/demo-target';
import { useApi, useWorker } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant } from '../support/factories';

const project = resolve(__dirname, '../..');
const target = new DemoTarget();
let listening: AddressInfo;
let folder: string;
beforeAll(async () => {
  listening = await target.listen(0);
  folder = mkdtempSync(join(tmpdir(), 'assay-mcp-'));
  execFileSync(process.execPath, ['bin/build-clients.mjs', 'cli'], { cwd: project });
});
afterAll(async () => {
  await target.close();
  rmSync(folder, { recursive: true });
});

const endpoint = (): string => `127.0.0.1:${listening.port}`;
const pace = { ENGINE_REQUESTS_PER_SECOND: '1000', ENGINE_PROBE_SPREAD_MS: '10' };
const api = useApi({
  ...pace,
  get EGRESS_ALLOW() {
    return endpoint();
  },
});
const make = new Factories(api);
let tenant: Tenant;
beforeAll(async () => {
  tenant = await make.organization();
  await make.asset(tenant.id, { value: `http://${endpoint()}/`, type: 'url' });
});
useWorker({
  ...pace,
  get EGRESS_ALLOW() {
    return `${endpoint()},${tenant.id}@${endpoint()}`;
  },
});

/** An agent that `assay mcp` serves over standard input and output. */
async function agentOf(words: readonly string[] = [], scopes?: ['read']): Promise<Client> {
  const { credentials: all, userId } = await tenant.as('member');
  const credentials = scopes === undefined ? all : (await make.person(userId, { scopes })).credentials;
  const env = {
    HOME: folder,
    ASSAY_URL: api.url,
    ASSAY_API_KEY: credentials.accessKey,
    ASSAY_API_SECRET: credentials.secret,
  };
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const args = [join(project, 'clients/cli/dist/assay.cjs'), 'mcp', ...words];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return client;
}

type Records = readonly Record<string, unknown>[];

async function recordsOf(client: Client, name: string, input: Record<string, unknown>): Promise<Records> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: input });
  if (isError === true) throw new Error(JSON.stringify(content));
  return (structuredContent as { records: Records }).records;
}

const allow = async (mcp_write: boolean): Promise<void> => {
  const { client } = await tenant.as('owner');
  await client.put(`/v1/organizations/${tenant.id}/settings/agents`, { mcp_write });
};
const names = async (client: Client): Promise<string[]> => (await client.listTools()).tools.map(({ name }) => name);

it('an agent finds a weakness, fixes it, and proves with a retest that it is fixed', async () => {
  await allow(true);
  const agent = await agentOf();
  const url = `http://${endpoint()}/`;
  const [scan] = await recordsOf(agent, 'start_scan', { url, checks: ['exposed-git'] });
  expect(scan).toMatchObject({ status: 'FINISHED', gate: 'failed' });
  const found = await recordsOf(agent, 'get_scan', { uuid: scan?.['uuid'] });
  const finding_id = found.find(({ check }) => check === 'exposed-git')?.['finding_id'];
  expect(await recordsOf(agent, 'explain_verdict', { finding_id })).toMatchObject([
    { finding_id, belief: 'proved', status: 'open' },
  ]);

  // A claim is no proof: the weakness is still there.
  expect(await recordsOf(agent, 'start_retest', { finding_id })).toMatchObject([{ result: 'still_vulnerable' }]);
  expect((await fetch(`${url}-/fix/exposed-git`, { method: 'POST', redirect: 'manual' })).status).toBeLessThan(400);
  expect(await recordsOf(agent, 'start_retest', { finding_id })).toMatchObject([{ result: 'fixed' }]);
  expect(await recordsOf(agent, 'get_finding', { finding_id })).toMatchObject([{ status: 'resolved' }]);
  expect(await recordsOf(agent, 'get_evidence', { finding_id })).toMatchObject([
    { result: 'fixed', check: 'exposed-git' },
  ]);
  await recordsOf(agent, 'comment_finding', { finding_id, comment: 'The folder is no longer served.' });
  await agent.close();
}, 120_000);

it('--read-only lists no tools that write, whatever the key and the organization allow', async () => {
  await allow(true);
  const agent = await agentOf(['--read-only']);
  expect(await names(agent)).toHaveLength(11);
  expect(await names(agent)).not.toContain('start_retest');
  await agent.close();
});

it('lists no tools that write to a key with the scope read alone, or without the setting', async () => {
  await allow(true);
  const reader = await agentOf([], ['read']);
  expect(await names(reader)).toHaveLength(11);
  await reader.close();
  await allow(false);
  const agent = await agentOf();
  expect(await names(agent)).toHaveLength(11);
  expect(agent.getInstructions()).toContain('does not allow agents to change anything');
  await agent.close();
});

it('an owner who turns writing off stops an agent that is connected already', async () => {
  await allow(true);
  const agent = await agentOf();
  const { id } = await make.finding(tenant.id);
  await recordsOf(agent, 'comment_finding', { finding_id: id, comment: 'First.' });
  const entries = await query(
    `SELECT metadata::text FROM audit_logs WHERE operation = 'finding.comment' AND organization_id = $1 ORDER BY id DESC`,
    [tenant.id],
  );
  expect(entries[0]).toMatchObject({ metadata: expect.stringContaining('assay-mcp/') });
  await allow(false);
  await expect(recordsOf(agent, 'comment_finding', { finding_id: id, comment: 'Second.' })).rejects.toThrow(
    'does not allow',
  );
  await agent.close();
});
