import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEVERITIES } from '../../src/kernel/severity';
import { eventually } from '../support/eventually';
import { pipeline, run, type Run, script, withCurl } from '../support/pipeline';

/** Where runs keep what they need meanwhile, and leave nothing. */
const folder = mkdtempSync(join(tmpdir(), 'assay-pipelines-'));
afterAll(() => {
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

/** What everybody on this machine may see of what runs on it. */
function commands(): string[] {
  if (!existsSync('/proc/self/cmdline')) return [execFileSync('ps', ['-axo', 'args']).toString()];
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.flatMap((id) => {
    try {
      return [readFileSync(`/proc/${id}/cmdline`, 'utf8')];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

withCurl('the script for pipelines', () => {
  const uuid = '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11';
  type Reply = readonly [status: number, body: string] | RequestListener;

  const right: Readonly<Record<string, Reply>> = {
    check: [200, '{"url":"u","beacon_id":null,"event_slug":null,"valid":true}'],
    launch: [201, `{"url":"u","uuid":"${uuid}"}`],
    status: [200, '{"status":"FINISHED"}'],
    success: [200, '{"success":true,"description":"No finding stands."}'],
    cancel: [200, '{"code":200,"description":"Job canceled.","id":null,"success":true}'],
  };
  let replies = right;
  let asked: string[] = [];
  let server: Server;
  const credentials = { accessKey: 'ak_key', secret: 'as_secret' };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const [path = ''] = request.url?.split('?') ?? [];
      const step = path.split('/').at(-1) ?? '';
      asked.push(step);
      const reply = replies[step] ?? ([404, '{}'] as const);
      if (typeof reply === 'function') return reply(request, response);
      response.writeHead(reply[0], { 'content-type': 'application/json' }).end(reply[1]);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    replies = right;
    asked = [];
  });

  const attempt = (seconds = 20): Run =>
    pipeline('https://www.example.com/', {
      credentials,
      seconds,
      folder,
      service: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });

  it('exits with 0 when the job succeeds, however the JSON is formatted', async () => {
    expect(await attempt().exit).toBe(0);
    replies = {
      ...right,
      success: [200, '{ "description" : "Said: \\"success\\":false \\\\",\n "success" : true }\n'],
    };
    expect(await attempt().exit).toBe(0);
  });

  it.each<[string, string, Reply]>([
    ['check', 'no JSON', [200, '<html>Welcome to the network of the hotel</html>']],
    ['check', 'nothing', [200, '']],
    ['check', 'not valid', [200, '{"valid":false,"reason":"No asset covers it."}']],
    ['check', 'valid in words', [200, '{"valid":"true"}']],
    ['check', 'another way', (_request, response) => response.writeHead(302, { location: '/v1/jobs/launch' }).end()],
    ['launch', 'no job', [201, '{"url":"u"}']],
    ['launch', 'a job of no kind', [201, '{"uuid":"../../../v1/me"}']],
    ['launch', 'a status that is none of a launch', [200, `{"uuid":"${uuid}"}`]],
    ['launch', 'a refusal', [422, '{"code":422,"description":"The job cannot be launched.","success":false}']],
    ['status', 'no JSON', [200, 'FINISHED']],
    ['status', 'no status', [200, '{"status":"DONE"}']],
    ['status', 'nobody', [404, '{"code":404,"description":"Job not found.","success":false}']],
    ['status', 'no right', [403, '{"code":403,"description":"Not for you.","success":false}']],
    ['success', 'no JSON', [200, 'true']],
    ['success', 'null', [200, '{"success":null,"description":"Ask again."}']],
    ['success', 'a no that is called yes', [200, '{"success":false,"description":"x"}']],
    ['success', 'a text', [200, '{"success":"true"}']],
    ['success', 'a longer word', [200, '{"success":trueish}']],
    ['success', 'both', [200, '{"success":true,"success":false}']],
    ['success', 'a list', [200, '[{"success":true}]']],
    ['success', 'half of it', [200, '{"success":true,"descr']],
    ['success', 'a yes with another status', [202, '{"success":true}']],
    ['success', 'a yes that is refused', [401, '{"success":true}']],
    ['success', 'a yes in a 422', [422, '{"success":true}']],
    ['success', 'a quoted yes', [200, '{"description":"\\"success\\":true,"}']],
  ])('fails when %s is answered with %s', async (step, _what, reply) => {
    replies = { ...right, [step]: reply };
    const ended = attempt(2);
    expect([await ended.exit, ended.errors()]).toEqual([2, expect.stringMatching(/^assay: .+\n/)]);
    const canCancel = asked.includes('launch') && step === 'status';
    expect(asked.includes('cancel')).toBe(canCancel);
  });

  it('retries temporary errors within its time limit and launches one job', async () => {
    const keys = new Set<string | undefined>();
    let turns = 0;
    replies = {
      ...right,
      launch: (request, response) => {
        keys.add(request.headers['idempotency-key']?.toString());
        const [status, body] = [[503, '{}'] as const, [429, '{}'] as const, [409, '{}'] as const][turns++] ?? [
          201,
          `{"uuid":"${uuid}"}`,
        ];
        if (turns === 2) request.socket.destroy();
        else response.writeHead(status).end(body);
      },
    };
    expect(await attempt().exit).toBe(0);
    expect([turns, keys.size]).toEqual([4, 1]);
  });

  it.each<[string, Reply]>([
    ['too busy', [429, '{"code":429,"description":"Too many attempts with invalid credentials.","success":false}']],
    ['broken', [500, '{"code":500,"description":"Something failed.","success":false}']],
    ['silent', () => undefined],
    ['cut off', (request) => void request.socket.destroy()],
    [
      'cut off in the middle',
      (request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"success":true}');
        setImmediate(() => request.socket.destroy());
      },
    ],
  ])('fails when the service is %s until its time limit', async (_how, reply) => {
    replies = { ...right, success: reply };
    const ended = attempt(2);
    expect([await ended.exit, ended.errors()]).toEqual([
      2,
      expect.stringMatching(/timeout after 2 seconds; the job is FINISHED; .+\n$/),
    ]);
  });

  it('cancels the job that it was launching when it is stopped', async () => {
    replies = { ...right, launch: () => undefined };
    const ended = attempt();
    await eventually(async () => expect(asked).toContain('launch'));
    replies = right;
    ended.child.kill('SIGTERM');
    expect(await ended.exit).toBe(2);
    expect(asked).toEqual(['check', 'launch', 'launch', 'cancel']);
  });

  it('does not expose its secret in the process list', async () => {
    const seen: string[] = [];
    replies = {
      ...right,
      status: (request, response) => {
        seen.push(request.headers.authorization ?? '');
        seen.push(...commands());
        response.writeHead(200).end('{"status":"FINISHED"}');
      },
    };
    expect(await attempt().exit).toBe(0);
    const [authorization = '', ...processes] = seen;
    expect(Buffer.from(authorization.slice(6), 'base64').toString()).toBe('ak_key:as_secret');
    expect(processes.join('')).toContain('curl');
    expect(processes.join('')).not.toContain('as_secret');
  });

  it('accepts every severity of the service', () => {
    expect(readFileSync(script, 'utf8')).toContain(`  ${SEVERITIES.join(' | ')}) ;;`);
  });

  it.each([
    ['no address', { ASSAY_URL: '' }, 'ASSAY_URL is not set'],
    ['no secret', { ASSAY_API_SECRET: '' }, 'ASSAY_API_SECRET is not set'],
    ['a quote in its key', { ASSAY_API_KEY: 'a"b' }, 'a quote'],
    ['a line feed in its event', { ASSAY_EVENT: 'a\nb' }, 'control character'],
    ['a time that is none', { ASSAY_TIMEOUT: '1+1' }, 'whole seconds'],
    ['a severity that is none', { ASSAY_SEVERITY: 'high&fail=False' }, 'not high&fail=False'],
    ['a severity that is misspelled', { ASSAY_SEVERITY: 'hihg' }, 'critical or cosmic, not hihg'],
  ])('a pipeline with %s fails at once', async (_what, environment, why) => {
    const rest = { ASSAY_URL: 'http://127.0.0.1:1', ASSAY_API_KEY: 'ak', ASSAY_API_SECRET: 'as' };
    const ended = run('sh', [script, 'https://www.example.com/'], { ...rest, ...environment });
    expect([await ended.exit, ended.errors()]).toEqual([2, expect.stringContaining(why)]);
  });
});
