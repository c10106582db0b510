import { setImmediate as turn } from 'node:timers/promises';
import { AgentCalls, requireOneMessage } from './agent-calls';

const ME = { user: { id: 7 }, organizations: [], integrator: null, key: { scopes: ['read'], organization_id: null } };
const CREDENTIALS = { username: 'key', password: 'secret' };
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_events', arguments: {} } };
const EVENTS = ['2025-06-18', '2025-03-26'];

function started() {
  const calls = new AgentCalls();
  const waiting: (() => void)[] = [];
  const fetch = async ({ url }: Pick<Request, 'url'>): Promise<Response> => {
    if (url.endsWith('/v1/me')) return Response.json(ME);
    await new Promise<void>((resolve) => waiting.push(resolve));
    return Response.json({ events: [] });
  };
  const call = (version: string, signal?: AbortSignal): Promise<Response> => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
    };
    const request = new Request('http://assay/mcp', {
      method: 'POST',
      headers,
      body: JSON.stringify(CALL),
      ...(signal && { signal }),
    });
    return calls.answer(request, CREDENTIALS, fetch);
  };
  const untilWaiting = async (count: number): Promise<void> => {
    for (let at = 0; at < 5_000 && waiting.length < count; at += 1) await turn();
    expect(waiting).toHaveLength(count);
  };
  return { call, waiting, untilWaiting };
}

it.each(EVENTS)('runs eight calls of a user at a time, until their tools have ended: %s', async (version) => {
  const { call, waiting, untilWaiting } = started();
  const running = Array.from({ length: 8 }, () => call(version));
  await untilWaiting(8);
  await expect(call(version)).rejects.toThrow('At most 8 calls of a user');
  for (const end of waiting.splice(0)) end();
  for (const answer of await Promise.all(running)) expect(await answer.text()).toContain('0 events on this page');
  const another = call(version);
  await untilWaiting(1);
  for (const end of waiting) end();
  expect((await another).status).toBe(200);
});

it('ends a call when its client leaves', async () => {
  const { call, untilWaiting } = started();
  const left = new AbortController();
  const running = Array.from({ length: 8 }, () => call('2025-06-18', left.signal));
  await untilWaiting(8);
  left.abort();
  await Promise.allSettled(running);
  void call('2025-06-18');
  await untilWaiting(9);
});

it('refuses lists of messages', () => {
  for (const body of ['[]', ' \n\t[{}]', '\ufeff[{}]'])
    expect(() => requireOneMessage(Buffer.from(body))).toThrow('must be one message');
  for (const body of ['{"a":[]}', '', 'x']) expect(() => requireOneMessage(Buffer.from(body))).not.toThrow();
});
