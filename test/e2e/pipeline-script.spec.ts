import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SEVERITIES } from '../../src/kernel/severity';
import { eventually } from '../support/eventually';
import { pipeline, run, type Run, script, withCurl } from '../support/pipeline';

/** The folder for temporary files, which must be empty at the end. */
const folder = mkdtempSync(join(tmpdir(), 'assay-pipelines-'));
afterAll(() => {
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});

/** The command lines of all processes on this machine. */
function commands(): string[] {
  if (!existsSync('/proc/self/cmdline')) return [execFileSync('ps', ['-axo', 'args']).toString()];
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return processes.flatMap((id) => {
    try {
      return [readFileSync(`/proc/${id}/cmdline`, 'utf8')];
    } catch {
      // The process has pipelineRun.
      return [];
    }
  });
}

withCurl('the script for pipelines', () => {
  const uuid = '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11';
  type Reply = readonly [status: number, body: string] | RequestListener;

  const defaultReplies: Readonly<Record<string, Reply>> = {
    check: [200, '{"url":"u","beacon_id":null,"event_slug":null,"valid":true}'],
    launch: [201, `{"url":"u","uuid":"${uuid}"}`],
    status: [200, '{"status":"FINISHED"}'],
    success: [200, '{"success":true,"description":"No finding stands."}'],
    cancel: [200, '{"code":200,"description":"Job canceled.","id":null,"success":true}'],
  };
  let replies = defaultReplies;
  let requestedSteps: string[] = [];
  let server: Server;
  const credentials = { accessKey: 'ak_key', secret: 'as_secret' };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const [path = ''] = request.url?.split('?') ?? [];
      const step = path.split('/').at(-1) ?? '';
      requestedSteps.push(step);
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
    replies = defaultReplies;
    requestedSteps = [];
  });

  const startPipeline = (seconds = 20): Run =>
    pipeline('https://www.example.com/', {
      credentials,
      seconds,
      folder,
      service: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });

  const reportsFolder = mkdtempSync(join(tmpdir(), 'assay-reports-'));
  afterAll(() => rmSync(reportsFolder, { recursive: true }));

  const withReports = (reports: string): Run =>
    pipeline('https://www.example.com/', {
      credentials,
      folder,
      reports,
      reportFolder: reportsFolder,
      service: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    });

  it('names the beacon and the checks of its job', async () => {
    const bodies: string[] = [];
    const check: RequestListener = (request, response) => {
      request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
      request.on('end', () => response.end('{"valid":true}'));
    };
    replies = { ...defaultReplies, check };
    const service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const run = pipeline('http://10.20.0.5/', {
      credentials,
      folder,
      service,
      beacon: '7',
      event: 'e-1',
      checks: 'built-in http:CVE-2024-1 ',
    });
    expect(await run.exit).toBe(0);
    expect(bodies.map((body) => JSON.parse(body) as unknown)).toEqual([
      { url: 'http://10.20.0.5/', event_slug: 'e-1', beacon_id: 7, checks: ['built-in', 'http:CVE-2024-1'] },
    ]);
  });

  it('allows incomplete checks only by the word allow', async () => {
    const asked: string[] = [];
    const answer: RequestListener = (request, response) => {
      asked.push(request.url?.split('?')[1] ?? '');
      response.end('{"success":true,"description":"No finding stands."}');
    };
    replies = { ...defaultReplies, success: answer };
    const service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const allowing = (incomplete: string): Run =>
      pipeline('https://www.example.com/', { credentials, folder, service, incomplete });
    for (const incomplete of ['', 'allow']) expect(await allowing(incomplete).exit).toBe(0);
    expect(asked).toEqual(['severity=high&fail=True', 'severity=high&fail=True&incomplete=allow']);
    expect(await allowing('yes').exit).toBe(2);
  });

  it('writes the reports that it is asked for byte for byte, also when the job fails', async () => {
    const bytes = '<a b="\\u0041">\r\n\t\u00e4</a>\n';
    const report: RequestListener = (request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      response.end(`${query.get('format')} ${query.get('severity')} ${bytes}`);
    };
    replies = { ...defaultReplies, report, success: [422, '{"success":false,"description":"Found."}'] };
    expect(await withReports('sarif gitlab junit json csv').exit).toBe(1);
    const files = { sarif: 'assay.sarif', gitlab: 'gl-dast-report.json', junit: 'assay-junit.xml', json: 'assay.json' };
    for (const [format, file] of Object.entries({ ...files, csv: 'assay.csv' }))
      expect(readFileSync(join(reportsFolder, file), 'utf8')).toBe(`${format} high ${bytes}`);
  });

  it('prints every finding that fails the job with its place and a link, and the command that repeats their tests', async () => {
    const findingOf = (id: number, check: string | null) => ({
      id,
      title: `"Finding" ${id}: a [1], b ##[set-output name=x]##vso[task.x]}},{y`,
      severity: 'high',
      place: check === null ? null : `https://www.example.com/${id}`,
      check,
      url: `https://assay.example.com/o/1/findings/${id}`,
    });
    const failing = [
      findingOf(1, 'exposed-env'),
      findingOf(2, 'exposed-git'),
      findingOf(3, "x'; id"),
      findingOf(4, null),
    ];
    const outcome = { success: false, description: 'Found.', accepted_checks: [], incomplete_checks: [] };
    const answer: RequestListener = (request, response) => {
      const isRefused = request.url?.includes('fail=True') === true;
      response.statusCode = isRefused ? 422 : 200;
      response.end(JSON.stringify(isRefused ? outcome : { ...outcome, failing: 6, failing_findings: failing }));
    };
    replies = { ...defaultReplies, success: answer };
    const run = startPipeline();
    expect([await run.exit, run.errors().trimEnd().split('\n')]).toEqual([
      1,
      [
        'assay: Found.',
        ...[1, 2, 3].map(
          (id) =>
            `assay: high: 'Finding' ${id}: a [1], b #[set-output name=x]#vso[task.x]}},{y, at https://www.example.com/${id}: https://assay.example.com/o/1/findings/${id}`,
        ),
        `assay: high: 'Finding' 4: a [1], b #[set-output name=x]#vso[task.x]}},{y: https://assay.example.com/o/1/findings/4`,
        'assay: and 2 more',
        expect.stringMatching(
          /^assay: to repeat these tests alone: ASSAY_CHECKS='exposed-env exposed-git' .*pipeline\.sh 'https:/,
        ),
      ],
    ]);
  });

  it('exits with 1 for a failed job also when the service does not list the findings', async () => {
    replies = {
      ...defaultReplies,
      success: (request, response) => {
        response.statusCode = request.url?.includes('fail=True') === true ? 422 : 500;
        response.end('{"success":false,"description":"Found."}');
      },
    };
    const run = startPipeline();
    expect([await run.exit, run.errors()]).toEqual([1, 'assay: Found.\n']);
  });

  it('exits with 2 for a report that it cannot read, and for a format that does not exist', async () => {
    replies = { ...defaultReplies, report: [422, '{"description":"It has too many findings."}'] };
    const refused = withReports('sarif');
    expect([await refused.exit, refused.errors()]).toEqual([2, expect.stringContaining('It has too many findings.')]);
    requestedSteps = [];
    const unknown = withReports('pdf');
    expect([await unknown.exit, unknown.errors()]).toEqual([
      2,
      expect.stringContaining('ASSAY_REPORTS must be json, sarif, gitlab, junit or csv'),
    ]);
    expect(requestedSteps).toEqual([]);
  });

  it('exits with 0 when the job succeeds, however the JSON is formatted', async () => {
    expect(await startPipeline().exit).toBe(0);
    replies = {
      ...defaultReplies,
      success: [200, '{ "description" : "Said: \\"success\\":false \\\\",\n "success" : true }\n'],
    };
    expect(await startPipeline().exit).toBe(0);
  });

  it.each<[string, string, Reply]>([
    ['check', 'no JSON', [200, '<html>Welcome to the network of the hotel</html>']],
    ['check', 'an empty body', [200, '']],
    ['check', 'not valid', [200, '{"valid":false,"reason":"No asset covers it."}']],
    ['check', 'the string "true"', [200, '{"valid":"true"}']],
    ['check', 'a redirect', (_request, response) => response.writeHead(302, { location: '/v1/jobs/launch' }).end()],
    ['launch', 'no job', [201, '{"url":"u"}']],
    ['launch', 'an invalid UUID', [201, '{"uuid":"../../../v1/me"}']],
    ['launch', 'the wrong status code', [200, `{"uuid":"${uuid}"}`]],
    ['launch', 'a refusal', [422, '{"code":422,"description":"The job cannot be launched.","success":false}']],
    ['status', 'no JSON', [200, 'FINISHED']],
    ['status', 'an unknown status', [200, '{"status":"DONE"}']],
    ['status', 'a 404', [404, '{"code":404,"description":"Job not found.","success":false}']],
    ['status', 'a 403', [403, '{"code":403,"description":"Not for you.","success":false}']],
    ['success', 'no JSON', [200, 'true']],
    ['success', 'null', [200, '{"success":null,"description":"Ask again."}']],
    ['success', 'success: false', [200, '{"success":false,"description":"x"}']],
    ['success', 'the string "true"', [200, '{"success":"true"}']],
    ['success', 'a word that begins with true', [200, '{"success":trueish}']],
    ['success', 'both true and false', [200, '{"success":true,"success":false}']],
    ['success', 'a list', [200, '[{"success":true}]']],
    ['success', 'incomplete JSON', [200, '{"success":true,"descr']],
    ['success', 'success: true and 202', [202, '{"success":true}']],
    ['success', 'success: true and 401', [401, '{"success":true}']],
    ['success', 'success: true and 422', [422, '{"success":true}']],
    ['success', 'success: true inside a string', [200, '{"description":"\\"success\\":true,"}']],
  ])('fails when the %s step is answered with: %s', async (step, _what, reply) => {
    replies = { ...defaultReplies, [step]: reply };
    const pipelineRun = startPipeline(4);
    expect([await pipelineRun.exit, pipelineRun.errors()]).toEqual([2, expect.stringMatching(/^assay: .+\n/)]);
    const canCancel = requestedSteps.includes('launch') && step === 'status';
    expect(requestedSteps.includes('cancel')).toBe(canCancel);
  });

  it('retries temporary errors within its time limit and launches one job', async () => {
    const keys = new Set<string | undefined>();
    let launches = 0;
    replies = {
      ...defaultReplies,
      launch: (request, response) => {
        keys.add(request.headers['idempotency-key']?.toString());
        const [status, body] = [[503, '{}'] as const, [429, '{}'] as const, [409, '{}'] as const][launches++] ?? [
          201,
          `{"uuid":"${uuid}"}`,
        ];
        if (launches === 2) request.socket.destroy();
        else response.writeHead(status).end(body);
      },
    };
    expect(await startPipeline().exit).toBe(0);
    expect([launches, keys.size]).toEqual([4, 1]);
  });

  it.each<[string, Reply]>([
    [
      'answering 429',
      [429, '{"code":429,"description":"Too many attempts with invalid credentials.","success":false}'],
    ],
    ['answering 500', [500, '{"code":500,"description":"Something failed.","success":false}']],
    ['not answering', () => undefined],
    ['closing connections', (request) => void request.socket.destroy()],
    [
      'closing connections during a response',
      (request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"success":true}');
        setImmediate(() => request.socket.destroy());
      },
    ],
  ])('fails when the service is %s until its time limit', async (_how, reply) => {
    replies = { ...defaultReplies, success: reply };
    const pipelineRun = startPipeline(4);
    expect([await pipelineRun.exit, pipelineRun.errors()]).toEqual([
      2,
      expect.stringMatching(/timeout after 4 seconds; the job is FINISHED; .+\n$/),
    ]);
  });

  it('cancels the job that it was launching when it is stopped', async () => {
    replies = { ...defaultReplies, launch: () => undefined };
    const pipelineRun = startPipeline();
    await eventually(async () => expect(requestedSteps).toContain('launch'));
    replies = defaultReplies;
    pipelineRun.child.kill('SIGTERM');
    expect(await pipelineRun.exit).toBe(2);
    expect(requestedSteps).toEqual(['check', 'launch', 'launch', 'cancel']);
  });

  it('does not expose its secret in the process list', async () => {
    const seen: string[] = [];
    replies = {
      ...defaultReplies,
      status: (request, response) => {
        seen.push(request.headers.authorization ?? '');
        seen.push(...commands());
        response.writeHead(200).end('{"status":"FINISHED"}');
      },
    };
    expect(await startPipeline().exit).toBe(0);
    const [authorization = '', ...processes] = seen;
    expect(Buffer.from(authorization.slice(6), 'base64').toString()).toBe('ak_key:as_secret');
    expect(processes.join('')).toContain('curl');
    expect(processes.join('')).not.toContain('as_secret');
  });

  it('accepts every severity of the service', () => {
    expect(readFileSync(script, 'utf8')).toContain(`  ${SEVERITIES.join(' | ')}) ;;`);
  });

  it.each([
    ['no service URL', { ASSAY_URL: '' }, 'ASSAY_URL is not set'],
    ['no secret', { ASSAY_API_SECRET: '' }, 'ASSAY_API_SECRET is not set'],
    ['a quote in its key', { ASSAY_API_KEY: 'a"b' }, 'a quote'],
    ['a line feed in its event', { ASSAY_EVENT: 'a\nb' }, 'control character'],
    ['a name as its beacon', { ASSAY_BEACON: 'office' }, 'the id of a beacon, not office'],
    ['an invalid time limit', { ASSAY_TIMEOUT: '1+1' }, 'whole seconds'],
    ['a severity with extra parameters', { ASSAY_SEVERITY: 'high&fail=False' }, 'not high&fail=False'],
    ['a misspelled severity', { ASSAY_SEVERITY: 'hihg' }, 'critical or cosmic, not hihg'],
  ])('fails at once with %s', async (_what, environment, reason) => {
    const rest = { ASSAY_URL: 'http://127.0.0.1:1', ASSAY_API_KEY: 'ak', ASSAY_API_SECRET: 'as' };
    const pipelineRun = run('sh', [script, 'https://www.example.com/'], { ...rest, ...environment });
    expect([await pipelineRun.exit, pipelineRun.errors()]).toEqual([2, expect.stringContaining(reason)]);
  });
});
