import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { signedEnvelope } from '../../sdk/src/testing/signed-envelope';
import { serviceOf, successfulAnswers, unusualAnswers } from '../../sdk/src/testing/unusual-answers';
import { run } from './main';
import { Output, type Terminal } from './output';
import { profilesFile, readSettings, writeProfiles } from './settings';

(globalThis as { ASSAY_VERSION?: string }).ASSAY_VERSION = '1.2.3';

/** What a terminal obeys. */
const CONTROL = ['\u001b', '\u0007', '\u009b', '\u202e'];

let folder: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-cli-'));
  mkdirSync(join(folder, 'project/below'), { recursive: true });
  mkdirSync(join(folder, 'project/.git'));
  env = { XDG_CONFIG_HOME: join(folder, 'config') };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const below = (): string => join(folder, 'project/below');
const project = (settings: object): void =>
  writeFileSync(join(folder, 'project/.assay.json'), JSON.stringify(settings));
const profile = (settings: object): string =>
  writeProfiles(env, { current: 'default', profiles: { default: { url: 'https://a.example', ...settings } } });
const settings = (flags: object = {}) => readSettings(flags, env, below());

describe('settings', () => {
  it('come from flags, then the environment, then the file of the project, then that of the user', () => {
    profile({ organization: 1, key: 'ak_u', secret: 'as_u' });
    expect(settings()).toMatchObject({ organization: 1, key: 'ak_u', severity: 'medium', url: 'https://a.example' });
    project({ organization: 2, severity: 'low' });
    expect(settings()).toMatchObject({ organization: 2, severity: 'low' });
    env = { ...env, ASSAY_ORGANIZATION: '3', ASSAY_SEVERITY: 'high', ASSAY_API_KEY: 'ak_e' };
    expect(settings()).toMatchObject({ organization: 3, severity: 'high', key: 'ak_e' });
    expect(settings({ organization: 4, severity: 'critical' })).toMatchObject({
      organization: 4,
      severity: 'critical',
    });
  });

  it('are kept in a file that nobody else may read, and one that others may read is refused', () => {
    const file = profile({ key: 'ak_u', secret: 'as_u' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    rmSync(file);
    writeFileSync(file, '{"current":"default","profiles":{}}', { mode: 0o644 });
    expect(() => settings()).toThrow('others may read it');
    expect(profilesFile({ HOME: '/h' })).toBe('/h/.config/assay/profiles.json');
  });

  it.each(['url', 'key', 'secret', 'proxy', 'ca_file', 'profile', 'incomplete', 'checks', 'fail_on'])(
    'of a project never set %s',
    (name) => {
      project({ [name]: 'x' });
      expect(() => settings()).toThrow(`sets "${name}"`);
    },
  );

  it.each([
    [{ severity: 'high' }, {}, 'severity must be none, info, low, medium'],
    [{ severity: 'medium' }, { severity: 'low' }, 'severity must be none, info, low.'],
    [{ severity: 'unknown' }, {}, 'severity must be'],
    [{ depth: 'standard' }, {}, 'depth must be "active"'],
    [{ organization: '1' }, {}, 'must be an id'],
  ])('of a project never loosen the gate: %j beside %j', (given, own, reason) => {
    profile(own);
    project(given);
    expect(() => settings()).toThrow(reason);
  });

  it('never send the key of a profile to another address', () => {
    profile({ key: 'ak_u', secret: 'as_u', proxy: 'http://p:1', ca_file: '/ca.pem' });
    const other = { key: undefined, secret: undefined, proxy: undefined, caFile: undefined };
    expect(settings({ url: 'https://b.example' })).toMatchObject(other);
    env = { ...env, ASSAY_URL: 'https://b.example' };
    expect(settings()).toMatchObject(other);
    env = { ...env, ASSAY_URL: 'https://a.example/' };
    expect(settings()).toMatchObject({ key: 'ak_u', caFile: '/ca.pem' });
  });

  it('end the search for a project file at the folder of the repository', () => {
    writeFileSync(join(folder, '.assay.json'), '{"organization": 9}');
    expect(settings().organization).toBeUndefined();
  });
});

interface Written {
  readonly terminal: Terminal;
  readonly out: () => string;
  readonly err: () => string;
}

function terminalOf({ isTTY = false, columns = 60 } = {}, input = ''): Written {
  const texts = { out: '', err: '' };
  const stream = (name: 'out' | 'err'): NodeJS.WriteStream =>
    Object.assign(
      new PassThrough().on('data', (chunk: Buffer) => (texts[name] += chunk.toString())),
      {
        isTTY,
        columns,
      },
    ) as unknown as NodeJS.WriteStream;
  const stdin = new PassThrough();
  stdin.end(input);
  const streams = { stdin: stdin as unknown as NodeJS.ReadStream, stdout: stream('out'), stderr: stream('err') };
  return { terminal: { ...streams, env, cwd: below() }, out: () => texts.out, err: () => texts.err };
}

describe('output', () => {
  const rows = [{ id: 1, title: `A\u001b[2Jtit\u009b\u202ele ${'long '.repeat(30)}` }];
  const columns = { ID: (row: { id: number }) => row.id, FINDING: (row: { title: string }) => row.title };

  it('is a table that fits on a terminal, with lines of tabs elsewhere, and never has control characters of a target', () => {
    const screen = terminalOf({ isTTY: true });
    new Output(screen.terminal, false, false).table(rows, columns);
    const [head, line = ''] = screen.out().split('\n');
    expect([head, line.length]).toEqual(['ID  FINDING', 60]);
    const pipe = terminalOf();
    new Output(pipe.terminal, false, false).table(rows, columns);
    expect(pipe.out()).toMatch(/^1\tA\ufffd\[2Jtit\ufffd\ufffdle long/);
    const json = terminalOf();
    new Output(json.terminal, true, false).table(rows, columns);
    expect(JSON.parse(json.out())).toEqual(rows[0]);
    for (const { out } of [screen, pipe, json]) expect(CONTROL.some((letter) => out().includes(letter))).toBe(false);
  });
});

async function eventuallyThere(file: string): Promise<void> {
  for (let left = 200; left > 0 && !existsSync(file); left--) await new Promise((resolve) => setTimeout(resolve, 25));
}

describe('the program', () => {
  let server: Server;
  let requested: string[] = [];
  let bodies: string[] = [];
  let replies: Record<string, readonly [number, unknown]> = {};
  const uuid = '3f8e0f0a-6d0c-4c55-9a53-0d8c0a4d3b11';
  const hostile = '\u001b]0;owned\u0007<b>"x"\n::error::y';

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = (request.url ?? '').split('?')[0] ?? '';
      requested.push(`${request.method} ${request.url}`);
      const at = bodies.push('') - 1;
      request.on('data', (chunk: Buffer) => (bodies[at] += chunk.toString()));
      const key = Object.keys(replies).find((end) => path.endsWith(end));
      const [status, body] = replies[key ?? ''] ?? [404, { description: 'Not found.' }];
      response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-7' });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  // One program listens for each signal once.
  beforeAll(() => void process.setMaxListeners(100));
  afterAll(() => {
    process.setMaxListeners(10);
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    [requested, bodies] = [[], []];
    replies = {};
    const { port } = server.address() as AddressInfo;
    env = { ...env, ASSAY_URL: `http://127.0.0.1:${port}`, ASSAY_API_KEY: 'ak_a', ASSAY_API_SECRET: 'as_b' };
  });
  afterEach(() => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
  });

  async function assay(words: string[], written = terminalOf(), input = '') {
    const screen = input === '' ? written : terminalOf({}, input);
    let code = -1;
    await run(words, screen.terminal, (exit) => (code = exit));
    return { code, out: screen.out(), err: screen.err() };
  }

  const finding = {
    id: 7,
    title: hostile,
    severity: 'high',
    proved: true,
    place: 'https://x/',
    check: 'exposed-env',
    url: 'u',
  };
  const failing = { success: false, description: `1 finding ${hostile}`, failing: 3, failing_findings: [finding] };
  const job = { job: { status: 'FINISHED', active: { tested: 3, points: 4, left_out: 1 } } };

  it('fails with 1 and says which findings, which command repeats them, and last what was covered', async () => {
    const checks = [{ id: 'exposed-git' }];
    replies = {
      check: [200, { valid: true }],
      launch: [201, { uuid }],
      status: [200, { status: 'FINISHED' }],
      success: [200, { ...failing, incomplete_checks: checks, refused_checks: [] }],
      [uuid]: [200, job],
    };
    const { code, out, err } = await assay(['scan', 'https://x/', '--wait']);
    expect([code, out.split('\t').slice(0, 3)]).toEqual([1, ['7', 'high', 'proved']]);
    const lines = err.trimEnd().split('\n');
    expect(lines.at(-1)).toBe(
      'Coverage: 1 check incomplete (exposed-git); 3 of 4 insertion points tested, 1 left out.',
    );
    expect(err).toContain('assay scan https://x/ --wait --checks exposed-env');
    expect(CONTROL.filter((letter) => (out + err).includes(letter))).toEqual([]);
    expect(lines.some((line) => line.startsWith('::'))).toBe(false);
  });

  it.each<[string, string[], Record<string, readonly [number, unknown]>, number]>([
    [
      'succeeds',
      ['gate', uuid],
      { status: [200, { status: 'FINISHED' }], success: [200, { success: true, description: '' }] },
      0,
    ],
    [
      'is undecided',
      ['gate', uuid],
      { status: [200, { status: 'PENDING' }], success: [200, { success: null, description: '' }] },
      2,
    ],
    [
      'was canceled',
      ['gate', uuid],
      { status: [200, { status: 'CANCELED' }], success: [200, { success: true, description: '' }] },
      1,
    ],
    ['tests nothing', ['scan', 'https://x/'], { check: [200, { valid: false, reason: 'No asset.' }] }, 3],
    ['tests nothing, though it waits', ['scan', 'https://x/', '--wait'], { check: [200, { valid: false }] }, 3],
    ['has no valid key', ['findings', '--organization', '1'], { 'findings/': [401, { description: 'Wrong.' }] }, 2],
    ['is misspelled', ['fidnings'], {}, 2],
    ['has an unknown option', ['findings', '--secret', 'x'], {}, 2],
    ['has a wrong severity', ['gate', uuid, '--severity', 'hihg'], {}, 2],
    ['has a wrong report', ['gate', uuid, '--report', 'pdf'], {}, 2],
  ])('exits as docs/pipelines.md says when the command %s', async (_what, words, given, expected) => {
    replies = given;
    expect((await assay(words)).code).toBe(expected);
  });

  it('lists the events of all organizations of the key, or of the named one', async () => {
    const event = { slug: 'spring-4k2p9x', organization_id: 7, status: 'running', name: hostile };
    replies = { events: [200, { events: [event] }], 'events/': [200, { events: [] }] };
    expect((await assay(['events'])).out.split('\t').slice(0, 3)).toEqual(['spring-4k2p9x', '7', 'running']);
    expect((await assay(['events', '--organization', '8'])).err).toContain('No events.');
    expect(requested).toEqual(['GET /v1/events?per_page=100', 'GET /v1/organizations/8/events/?per_page=100']);
  });

  const passing = {
    check: [200, { valid: true }],
    launch: [201, { uuid }],
    status: [200, { status: 'FINISHED' }],
    success: [200, { success: true, description: 'Nothing.' }],
    report: [200, { version: '2.1.0', runs: [{ automationDetails: { id: 'assay/preview-7/1' } }] }],
    [uuid]: [200, { job: { status: 'FINISHED', active: null, url: 'https://x/', depth: 'active' } }],
  } as const;
  const sarif = (): { runs: { automationDetails: { id: string }; results?: unknown[] }[] } =>
    JSON.parse(readFileSync(join(folder, 'a.sarif'), 'utf8')) as ReturnType<typeof sarif>;

  it('names what was proved, how to fix it and the link of each finding, on a terminal too', async () => {
    const md = 'A.\n\n**How to fix it.** Delete \u001bit.\n\nSeen at\n\n    x\n\nwhich showed\n\n    KEY is public';
    const success = [200, { ...failing, incomplete_checks: [], refused_checks: [] }] as const;
    replies = { ...passing, success, report: [200, { findings: [{ id: 7, md }] }] };
    const screen = terminalOf({ isTTY: true, columns: 200 });
    const { code, out, err } = await assay(['gate', uuid], screen);
    expect([code, out]).toEqual([1, expect.stringMatching(/high.*proved .*https:\/\/x\/ +exposed-env/)]);
    expect(err).toContain('  Proved: KEY is public\n  How to fix it: Delete \ufffdit.\n  u\n');
    expect(err).toContain('Repeat these tests: assay scan https://x/ --depth active --wait --checks exposed-env\n');
  });

  it('scans with accounts, compares with a reference and records one', async () => {
    replies = { ...passing, reference: [200, { code: 200, description: 'Recorded.', id: null, success: true }] };
    const accounts = ['--account', 'customer A', '--account', 'clerk'];
    const gates = ['--fail-on', 'new', '--reference', '12/main', '--record', 'main'];
    const { code, err } = await assay(['scan', 'https://x/', '--wait', ...accounts, ...gates]);
    expect([code, err]).toEqual([0, expect.stringContaining('Recorded.')]);
    const bodyOf = (end: string): string | undefined => bodies[requested.findIndex((one) => one.endsWith(end))];
    expect(bodyOf('/check')).toBe('{"url":"https://x/"}');
    expect(bodyOf('/launch')).toBe('{"url":"https://x/","accounts":["customer A","clerk"]}');
    expect(bodyOf('/reference')).toBe('{"reference":"main"}');
    expect(requested.some((one) => one.endsWith('/success?severity=medium&fail_on=new&reference=12%2Fmain'))).toBe(
      true,
    );
    replies = { ...passing, reference: [403, { description: 'It does not name this key.' }] };
    const refused = await assay(['scan', 'https://x/', '--wait', '--record', 'main']);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('It does not name this key.')]);
  });

  it.each([
    [['scan', 'https://x/', '--fail-on', 'new'], 'Add --wait.'],
    [['scan', 'https://x/', '--timeout', '5'], 'Add --wait.'],
    [['gate', uuid, '--fail-on', 'newest'], '--fail-on is all or new, not newest.'],
    [['gate', uuid, '--reference', 'main'], 'Add --fail-on new.'],
    [['gate', uuid, '--wait', '--timeout', '0'], 'It must be 1 to 2000000 seconds.'],
    [['gate', uuid, '--wait', '--timeout', '3000000'], 'It must be 1 to 2000000 seconds.'],
  ])('refuses %j, before a request', async (words, reason) => {
    replies = passing;
    expect(await assay(words)).toMatchObject({ code: 2, err: expect.stringContaining(reason) as string });
    expect(requested).toEqual([]);
  });

  it.each([
    ['has a result', {}, [], 0, 'assay/preview-7/1', []],
    ['has one, with a category', {}, ['--category', 'shop'], 0, 'shop/', []],
    [
      'has not ended in time',
      { status: [200, { status: 'IN_PROGRESS' }] },
      ['--timeout', '1'],
      2,
      'assay-incomplete/',
      ['There is no result after 1 second (--timeout).', 'is canceled'],
    ],
    [
      'ended in ERROR',
      { status: [200, { status: 'ERROR' }], success: [200, { success: false, description: 'It ended.' }] },
      ['--category', 'shop'],
      1,
      'shop-incomplete/',
      ['the scan is incomplete'],
    ],
    ['has no report', { report: [500, { description: 'It failed.' }] }, [], 2, 'assay-incomplete/', ['It failed.']],
    [
      'may not be launched',
      { check: [200, { valid: false, reason: 'No asset.' }] },
      [],
      3,
      'assay-incomplete/',
      ['No asset.'],
    ],
  ] as const)('writes SARIF of a scan that %s', async (_what, more, flags, expected, category, said) => {
    replies = {
      ...passing,
      cancel: [200, { code: 200, description: 'Job canceled.', id: null, success: true }],
      ...more,
    };
    const words = ['scan', 'https://x/', '--wait', '--report', `sarif=${join(folder, 'a.sarif')}`, ...flags];
    const { code, err } = await assay(words);
    expect([code, sarif().runs.map(({ automationDetails: { id } }) => id)]).toEqual([expected, [category]]);
    for (const text of said) expect(err).toContain(text);
  });

  it('waits for the gate no longer than its time, and says that the scan goes on', async () => {
    replies = { ...passing, status: [200, { status: 'PENDING' }] };
    const file = `sarif=${join(folder, 'a.sarif')}`;
    const { code, err } = await assay(['gate', uuid, '--wait', '--timeout', '1', '--report', file]);
    expect([code, sarif().runs[0]?.results]).toEqual([2, []]);
    expect(err).toContain(
      `There is no result after 1 second (--timeout). The scan goes on. Follow it: assay gate ${uuid}`,
    );
    expect(requested.some((one) => one.endsWith('/cancel'))).toBe(false);
  });

  it('proposes a key that reads one organization, in the portal, to a person at a terminal', async () => {
    const url = env['ASSAY_URL'] ?? '';
    const opened = join(folder, 'opened');
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${opened}\n`, { mode: 0o755 });
    env = { ...env, PATH: `${folder}:${process.env['PATH']}` };
    replies = { '/': [200, { portal: 'https://portal.example' }] };
    const screen = terminalOf({ isTTY: true });
    Object.assign(screen.terminal.stdin, { isTTY: true });
    const { code, err } = await assay(['login', '--url', url, '--organization', '5'], screen);
    await eventuallyThere(opened);
    const [page = ''] = /https:\/\/portal\S+/.exec(err) ?? [];
    expect([code, readFileSync(opened, 'utf8')]).toEqual([2, page]);
    expect(page).toMatch(
      /^https:\/\/portal\.example\/settings\/api\?scope=read&label=assay\+on\+\S+&organization=5#new$/,
    );
  });

  it('does not succeed after any unusual answer of the service', async () => {
    // The last one shows that nothing else fails.
    const rows = [...unusualAnswers, ['status', 'an ordinary answer', [200, '{"status":"FINISHED"}']] as const];
    const result = await Promise.all(
      rows.map(async ([step, what, answer]) => {
        const unusual = createServer(serviceOf(() => ({ ...successfulAnswers, [step]: answer })));
        await new Promise<void>((resolve) => unusual.listen(0, '127.0.0.1', resolve));
        const url = `http://127.0.0.1:${(unusual.address() as AddressInfo).port}`;
        const { code, err } = await assay(['scan', 'https://x/', '--wait', '--timeout', '5', '--url', url]);
        unusual.closeAllConnections();
        unusual.close();
        return [step, what, code > 0, err.includes('passed')];
      }),
    );
    const fails = (what: string): boolean => what !== 'an ordinary answer';
    expect(result).toEqual(rows.map(([step, what]) => [step, what, fails(what), !fails(what)]));
  });

  it('says what to do about an error, with the id of the request when the service failed', async () => {
    replies = { 'findings/': [500, { description: 'It failed.' }] };
    expect((await assay(['findings', '--organization', '1'])).err).toBe(
      'assay: It failed.\nassay: the id of the request is r-7\n',
    );
    replies = {
      me: [
        200,
        {
          organizations: [
            { id: 1, name: 'A' },
            { id: 2, name: 'B' },
          ],
        },
      ],
    };
    expect((await assay(['findings'])).err).toBe(
      'assay: The key has 2 organizations.\nassay: next: Name one with --organization ID: 1 (A), 2 (B)\n',
    );
    env = { ...env, ASSAY_API_KEY: undefined };
    expect((await assay(['findings'])).err).toContain('next: assay login');
  });

  it('keeps a key from standard input in a profile, after it was tried', async () => {
    env = { XDG_CONFIG_HOME: env['XDG_CONFIG_HOME'], LOGIN: env['ASSAY_URL'] };
    const me = {
      user: { email: 'a@example.com' },
      organizations: [{ id: 5, name: 'A', role: 'member' }],
      key: { scopes: ['read'] },
    };
    replies = { me: [200, me] };
    const url = env['LOGIN'] ?? '';
    const refused = await assay(['login', '--url', url], undefined, 'hello');
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('no key')]);
    const { code, err } = await assay(['login', '--url', url], undefined, 'ak_1:as_2\n');
    expect([code, err]).toEqual([0, expect.stringContaining('as a@example.com: A (5, member). Scopes: read.')]);
    expect(err).not.toContain('as_2');
    expect(readSettings({}, env, below())).toMatchObject({ url, key: 'ak_1', secret: 'as_2', organization: 5 });
  });

  it('verifies an envelope, and says that its subject is weak and its image only stated', async () => {
    const { envelope, image, keys } = signedEnvelope();
    const [file, keyFile] = [join(folder, 'evidence.dsse.json'), join(folder, 'keys.json')];
    writeFileSync(file, JSON.stringify(envelope));
    writeFileSync(keyFile, keys);
    const { code, out } = await assay(['verify-evidence', file, '--keys', keyFile]);
    expect([code, out]).toEqual([0, expect.stringContaining('Verdict:  fixed')]);
    expect(out).toContain(`https://a.example/ sha256:${'a'.repeat(64)}\n          This is weak`);
    expect(out).toContain(`${image}, stated by a caller and not verified`);
    writeFileSync(file, JSON.stringify({ ...envelope, payloadType: 'application/json' }));
    expect(await assay(['verify-evidence', file, '--keys', keyFile])).toMatchObject({
      code: 1,
      out: expect.stringContaining('Not authentic.'),
    });
  });

  it('prints completions for three shells with every command', async () => {
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await assay(['completion', shell])).out).toContain('verify-evidence');
    expect((await assay(['completion', 'tcsh'])).code).toBe(2);
  });

  it('has no option for a secret', async () => {
    const { out } = await assay(['scan', '--help']);
    expect(out).toContain('--severity');
    expect(out).not.toMatch(/--\S*(secret|password|api-key|token)/);
  });
});
