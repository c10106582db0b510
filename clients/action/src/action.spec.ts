import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import MarkdownIt from 'markdown-it';
import { parseFragment } from 'parse5';
import { serviceOf, successfulAnswers, unusualAnswers } from '../../sdk/src/testing/unusual-answers';
import { runAction } from './action';
import { commandFor } from '../../sdk/src';
import { markdownOf, plain } from './markdown';
import { Runner } from './runner';

(globalThis as { ASSAY_VERSION?: string }).ASSAY_VERSION = '1.2.3';

const uuid = '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11';
/** A title that tries to be a command, Markdown, HTML, a mention and a link. */
const HOSTILE =
  '::add-mask::x\n::error::y\r\n%0A::set-output name=success::true | <img src=x onerror=a()> <!-- [a](http://evil.example) ![b](c) @admin #1 `code` **bold** \u202e\u001b[2J http://evil.example www.evil.example';

let folder: string;
let server: Server;
let service: string;
let requests: string[] = [];
let bodies: string[] = [];
let urls: string[] = [];
let replies: Record<string, readonly [number, unknown]> = {};
let comments: { readonly id: number; body: string; readonly user?: { readonly type: string } }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-action-'));
  [requests, bodies, urls, comments] = [[], [], [], []];
  const sarif = { version: '2.1.0', runs: [{ automationDetails: { id: 'assay/preview-7/1' }, results: [] }] };
  replies = {
    check: [200, { valid: true }],
    launch: [201, { uuid }],
    status: [200, { status: 'FINISHED' }],
    success: [200, { success: true, description: 'Nothing found.', incomplete_checks: [], failing_findings: [] }],
    report: [200, sarif],
    cancel: [200, { code: 200, description: 'Job canceled.', id: null, success: true }],
  };
});
afterEach(() => rmSync(folder, { recursive: true }));

async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { pathname } = new URL(request.url ?? '', service);
  requests.push(`${request.method} ${pathname}`);
  urls.push(request.url ?? '');
  bodies.push(body);
  const send = (status: number, answer: unknown): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  if (!pathname.startsWith('/repos/')) return send(...(replies[pathname.split('/').at(-1) ?? ''] ?? [404, {}]));
  if (request.method === 'GET') return send(200, comments);
  const text = (JSON.parse(body) as { body: string }).body;
  const own = comments.find(({ id }) => pathname.endsWith(`/${id}`));
  if (own === undefined) comments.push({ id: comments.length + 1, body: text, user: { type: 'Bot' } });
  else own.body = text;
  send(200, {});
}

async function action(inputs: Record<string, string> = {}, stopped = new AbortController().signal) {
  let log = '';
  const all = {
    url: 'https://shop.example/',
    'assay-url': service,
    'api-key': 'ak_a',
    'api-secret': 'as_s',
    ...inputs,
  };
  const env: Record<string, string> = {
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
    GITHUB_EVENT_PATH: join(folder, 'event'),
    GITHUB_API_URL: service,
    GITHUB_REPOSITORY: 'o/r',
    'INPUT_SARIF-FILE': join(folder, 'assay.sarif'),
  };
  for (const [name, value] of Object.entries(all)) env[`INPUT_${name.toUpperCase()}`] = value;
  const code = await runAction(new Runner(env, (text) => (log += text)), stopped, 20);
  const read = (name: string): string =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '';
  const output = (name: string): string | undefined =>
    new RegExp(`^${name}<<(\\S+)\\n(.*)\\n\\1$`, 'm').exec(read('output'))?.[2];
  return { code, log, output, summary: read('summary'), sarif: read('assay.sarif') };
}

/** The commands that the runner obeys: those outside of stop-commands. */
function commandsIn(log: string): string[] {
  let token: string | undefined;
  return log.split('\n').filter((line) => {
    if (token !== undefined) {
      if (line === `::${token}::`) token = undefined;
      return false;
    }
    [, token] = /^::stop-commands::(.+)$/.exec(line) ?? [];
    return token === undefined && /^\s*::/.test(line);
  });
}

const failing = {
  success: false,
  description: `1 finding (${HOSTILE})`,
  failing: 2,
  incomplete_checks: [{ id: 'exposed-git' }],
  failing_findings: [
    {
      id: 1,
      title: HOSTILE,
      severity: 'high',
      proved: true,
      place: HOSTILE,
      check: 'exposed-env',
      url: 'https://assay.example/o/1/findings/1',
    },
  ],
};

describe('the action', () => {
  it('succeeds with its outputs, and writes SARIF with the same category for every host', async () => {
    const { code, output, sarif, summary } = await action();
    expect([code, output('success'), output('uuid'), output('report')]).toEqual([
      0,
      'true',
      uuid,
      join(folder, 'assay.sarif'),
    ]);
    expect(JSON.parse(sarif)).toMatchObject({ runs: [{ automationDetails: { id: 'assay/' } }] });
    expect(summary).toContain('### Assay: passed');
  });

  it('fails with the findings, what was proved, how to fix it and the command, and still writes SARIF', async () => {
    const md = `A.\n\n**How to fix it.** Delete it.\n\nSeen at\n\n    x\n\nwhich showed\n\n    KEY is public`;
    replies = { ...replies, success: [200, failing], report: [200, { runs: [{}], findings: [{ id: 1, md }] }] };
    const { code, output, sarif, summary } = await action();
    expect([code, output('success'), sarif === '']).toEqual([1, 'false', false]);
    for (const text of ['| high | proved |', 'Proved: KEY is public', 'How to fix it: Delete it&#46;', 'And 1 more.'])
      expect(summary).toContain(text);
    expect(summary).toContain('assay scan https://shop.example/ --wait --checks exposed-env\n');
  });

  it('writes SARIF of a scan without a result, in a category of its own, so that it closes no alerts', async () => {
    const noResult = { runs: [{ automationDetails: { id: 'shop-incomplete/' }, results: [] }] };
    for (const [name, answer] of [
      ['status', [200, { status: 'ERROR' }]],
      ['check', [200, { valid: false, reason: 'No asset.' }]],
      ['report', [500, {}]],
    ] as const) {
      const before = replies;
      replies = { ...replies, [name]: answer };
      const { code, output, sarif } = await action({ category: 'shop', timeout: '1' });
      expect([name, code > 0, output('report')]).toEqual([name, true, join(folder, 'assay.sarif')]);
      expect(JSON.parse(sarif)).toMatchObject(noResult);
      replies = before;
    }
  });

  it('fails for new findings alone, and records only what it is told to', async () => {
    const { code } = await action({ 'fail-on': 'new', reference: '12/main', severity: 'low' });
    const gates = urls.filter((url) => url.includes('/success'));
    expect([code, gates]).toEqual([0, [`/v1/jobs/${uuid}/success?severity=low&fail_on=new&reference=12%2Fmain`]]);
    expect(requests.some((one) => one.endsWith('/reference'))).toBe(false);
    replies = { ...replies, reference: [200, { code: 200, description: 'Recorded.', id: null, success: true }] };
    const recorded = await action({ record: 'main' });
    expect([recorded.code, recorded.log, bodies.at(requests.indexOf(`POST /v1/jobs/${uuid}/reference`))]).toEqual([
      0,
      expect.stringContaining('Recorded.'),
      '{"reference":"main"}',
    ]);
    expect(urls.at(-1)).not.toContain('fail_on');
    // A key that the reference does not name is no success, although the scan is one.
    replies = {
      ...replies,
      reference: [403, { code: 403, description: 'It does not name this key.', success: false }],
    };
    const refused = await action({ record: 'main' });
    expect([refused.code, refused.log]).toEqual([2, expect.stringContaining('It does not name this key.')]);
  });

  it('lets text of a target be no command of the runner, no Markdown and no HTML', async () => {
    replies = { ...replies, success: [200, failing] };
    const { log, output, summary } = await action();
    expect(commandsIn(log).map((line) => /^::([\w-]+)/.exec(line)?.[1])).toEqual(['add-mask', 'error', 'error']);
    expect(output('success')).toBe('false');
    const html = new MarkdownIt({ html: true, linkify: true }).render(summary);
    const names = new Set<string>();
    const visit = (node: { nodeName: string; childNodes?: unknown[] }): void => {
      names.add(node.nodeName);
      for (const child of node.childNodes ?? []) visit(child as typeof node);
    };
    visit(parseFragment(html));
    for (const name of ['img', 'script', 'strong', 'em']) expect(names.has(name)).toBe(false);
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, link]) => link)).toEqual([
      'https://assay.example/o/1/findings/1',
    ]);
    expect(summary).not.toMatch(/@admin|[^&]#1\b/);
    expect(plain('a@b #1 https://x')).toBe('a&#64;<!-- -->b &#35;<!-- -->1 https&#58;<!-- -->&#47;&#47;x');
  });

  it('lets no line of its log be a command of the runner', () => {
    let log = '';
    new Runner({}, (text) => (log += text)).log('::error::x\n::stop-commands::y\n ::add-mask::z');
    expect([commandsIn(log), log.split('\n').length]).toEqual([[], 6]);
  });

  it('does not succeed after any unusual answer of the service', async () => {
    // The last one shows that nothing else fails.
    const rows = [...unusualAnswers, ['status', 'an ordinary answer', [200, '{"status":"FINISHED"}']] as const];
    const result = await Promise.all(
      rows.map(async ([step, what, answer]) => {
        const unusual = createServer(serviceOf(() => ({ ...successfulAnswers, [step]: answer })));
        await new Promise<void>((resolve) => unusual.listen(0, '127.0.0.1', resolve));
        const { port } = unusual.address() as AddressInfo;
        const sarif = join(folder, `${port}.sarif`);
        const { code } = await action({ 'assay-url': `http://127.0.0.1:${port}`, timeout: '5', 'sarif-file': sarif });
        unusual.closeAllConnections();
        unusual.close();
        return [step, what, code > 0];
      }),
    );
    expect(result).toEqual(rows.map(([step, what]) => [step, what, what !== 'an ordinary answer']));
    expect(readFileSync(join(folder, 'summary'), 'utf8').match(/Assay: passed/g)).toHaveLength(1);
    expect(readFileSync(join(folder, 'output'), 'utf8').match(/^true$/gm)).toHaveLength(1);
  });

  it('keeps one comment in the pull request and updates it', async () => {
    writeFileSync(join(folder, 'event'), JSON.stringify({ pull_request: { number: 7 } }));
    const inputs = { comment: 'true', 'github-token': 't' };
    // The second is of somebody who may not write to the repository.
    comments = [
      { id: 8, body: 'Somebody <!-- assay: assay -->' },
      { id: 9, body: '<!-- assay: assay -->\nAll is well.', user: { type: 'User' } },
    ];
    for (const expected of ['failed', 'passed']) {
      if (expected === 'failed') replies['success'] = [200, failing];
      else replies['success'] = [200, { success: true, description: '' }];
      await action(inputs);
      expect(comments).toHaveLength(3);
      expect(comments[2]?.body).toContain(`<!-- assay: assay -->\n### Assay: ${expected}`);
    }
    expect(requests.filter((one) => one.startsWith('POST /repos') || one.startsWith('PATCH'))).toEqual([
      'POST /repos/o/r/issues/7/comments',
      'PATCH /repos/o/r/issues/comments/3',
    ]);
  });

  it('has the result of the scan, whatever becomes of its comment', async () => {
    writeFileSync(join(folder, 'event'), JSON.stringify({ pull_request: { number: 7 } }));
    const inputs = { comment: 'true', 'github-token': 't', category: 'x' };
    comments = 'no list' as never;
    const { code, log } = await action(inputs);
    expect([code, commandsIn(log).some((line) => line.startsWith('::warning'))]).toEqual([0, true]);
  });

  it('cancels its scan when it is stopped, and has no result', async () => {
    replies['status'] = [200, { status: 'IN_PROGRESS' }];
    const stopped = new AbortController();
    const running = action({}, stopped.signal);
    while (!requests.includes(`GET /v1/jobs/${uuid}/status`)) await new Promise((resolve) => setImmediate(resolve));
    stopped.abort();
    const { code, output, summary, sarif } = await running;
    expect([code, output('success'), output('report')]).toEqual([2, '', join(folder, 'assay.sarif')]);
    expect(JSON.parse(sarif)).toMatchObject({
      runs: [
        { automationDetails: { id: 'assay-incomplete/' }, results: [], invocations: [{ executionSuccessful: false }] },
      ],
    });
    expect(requests.at(-1)).toBe(`POST /v1/jobs/${uuid}/cancel`);
    expect(summary).toContain('no result');
  });

  it.each([
    ['severity', 'hihg', 'must be one of'],
    ['depth', 'deep', 'must be one of'],
    ['incomplete', 'yes', 'must be one of'],
    ['fail-on', 'newest', 'must be one of'],
    ['timeout', '0', 'whole number'],
    ['beacon', 'office', 'whole number'],
    ['url', '', 'missing'],
    ['api-secret', ' ', 'missing'],
  ])('fails at once with the input %s: %s', async (name, value, reason) => {
    const { code, log } = await action({ [name]: value });
    expect([code, log]).toEqual([2, expect.stringContaining(reason)]);
    expect(requests).toEqual([]);
  });

  it('puts nothing but ids and plain addresses into the command that it shows', () => {
    expect(commandFor('https://a.example/?x=$(id)', [{ check: 'a-b' }, { check: "x'; id" }, { check: null }])).toBe(
      'assay scan URL --wait --checks a-b',
    );
    expect(commandFor('https://a.example/', [{ check: null }])).toBeUndefined();
  });

  it('says in the summary when there is no result', () => {
    const result = { gate: 'unknown', status: undefined, reason: HOSTILE } as const;
    const text = markdownOf({ url: 'u', uuid: undefined, result, scan: 'none', explanations: new Map() });
    expect(text).toContain('Nothing is known, so this step failed.');
    expect(text).not.toContain('<img');
  });

  it('describes each input and output, and starts the bundle on Node 24', () => {
    const file = load(readFileSync(join(__dirname, '../action.yml'), 'utf8')) as {
      readonly inputs: Record<string, { readonly description?: string }>;
      readonly outputs: Record<string, { readonly description?: string }>;
      readonly runs: object;
    };
    expect(file.runs).toEqual({ using: 'node24', main: 'action.cjs' });
    expect(Object.keys(file.outputs)).toEqual(['success', 'uuid', 'report']);
    for (const one of Object.values({ ...file.inputs, ...file.outputs })) expect(one.description).toMatch(/\.$/);
    const read = new Set(
      [...readFileSync(join(__dirname, 'action.ts'), 'utf8').matchAll(/(?:input|required)\('([\w-]+)'\)/g)].map(
        ([, name]) => name,
      ),
    );
    expect(Object.keys(file.inputs).sort()).toEqual([...read].sort());
  });
});
