import { useApi } from '../support/api';
import { basic, type Credentials } from '../support/client';
import { Factories } from '../support/factories';

/** What the conformance suite of the protocol asks of a server with tools alone (docs/agents.md). */
const api = useApi({ LIMIT_READS_PER_MINUTE: '6' });
const make = new Factories(api);

const CURRENT = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': CURRENT,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function send(credentials: Credentials, method: string, params: object = {}, headers: object = {}) {
  const response = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: basic(credentials),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': CURRENT,
      'mcp-method': method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: META } }),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

const viewer = async (): Promise<Credentials> => (await (await make.organization()).as('viewer')).credentials;

it('declares tools alone, and no list that changes', async () => {
  const { body } = await send(await viewer(), 'server/discover');
  expect(body.result).toMatchObject({ supportedVersions: [CURRENT], capabilities: { tools: { listChanged: false } } });
  expect(Object.keys(body.result.capabilities)).toEqual(['tools']);
});

it('has no subscriptions, prompts and resources: each is a method that is not found', async () => {
  const credentials = await viewer();
  const methods = ['subscriptions/listen', 'prompts/list', 'resources/list', 'completion/complete'];
  for (const method of methods)
    expect([method, await send(credentials, method, { notifications: {} })]).toMatchObject([
      method,
      { status: 404, body: { id: 7, error: { code: -32601 } } },
    ]);
});

it('refuses headers that contradict the message, and a version that it does not know', async () => {
  const credentials = await viewer();
  const contradictions = [{ 'mcp-method': 'tools/call' }, { 'mcp-protocol-version': '2025-11-25' }];
  for (const headers of contradictions)
    expect(await send(credentials, 'tools/list', {}, headers)).toMatchObject({ status: 400, body: { error: {} } });
  const params = { ...META, 'io.modelcontextprotocol/protocolVersion': '1999-01-01' };
  const unknown = await fetch(`${api.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: basic(credentials),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '1999-01-01',
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: params } }),
  });
  expect([unknown.status, await unknown.text()]).toEqual([400, expect.stringContaining(CURRENT)]);
});

it('counts calls to the limits of the key, and says of no finding that it has had no retest because of them', async () => {
  const tenant = await make.organization();
  const { credentials } = await tenant.as('viewer');
  const { id: finding_id } = await make.finding(tenant.id);
  const call = () =>
    send(
      credentials,
      'tools/call',
      { name: 'explain_verdict', arguments: { finding_id } },
      { 'mcp-name': 'explain_verdict' },
    );
  // One read finds out who asks, and three are of the tool.
  const whole = await call();
  expect(whole.body.result.content[0].text).toContain('It has had no retest.');
  // The second call reads who asks and the finding, but no longer its retest.
  const cut = await call();
  expect(cut.body.result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('The limit of 6') }],
  });
  const refused = await call();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
});
