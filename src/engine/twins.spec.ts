import { CHECKS } from './checks';
import { checkFromYaml } from './templates/check-from-yaml';
import { exposedEnv } from './checks/exposed-env';
import type { ProbeRequest } from './probe';
import type { AnsweredRequest } from './answered-request';
import { Twins } from './twin-answers';
import { harmlessLike, twinKeyOf, twinKindOf, TWINS, twinRequest } from './twins';

const asked = (path: string, request: ProbeRequest = {}): AnsweredRequest =>
  ({ key: `GET ${path}`, path, request: { path, ...request } }) as AnsweredRequest;

const template = checkFromYaml(`id: t
info: { name: A template }
http: [{ path: ["{{BaseURL}}/x"], matchers: [{ type: word, words: [x] }] }]`);

it('every built-in check states its twin, and no other one does', () => {
  expect([...TWINS.keys()].sort()).toEqual(CHECKS.map(({ id }) => id).sort());
});

describe('the twin of a template follows its request', () => {
  it.each<[string, AnsweredRequest]>([
    ['file', asked('/backup.sql')],
    ['file', asked('/index.php?page=about')],
    ['parameter', asked('/index.php?page=../../etc/passwd')],
    ['parameter', asked('/search?q=%3Cscript%3E')],
    ['method', asked('/api', { method: 'PUT' })],
    ['password', asked('/login', { method: 'POST', body: 'user=admin&password=admin' })],
  ])('%s', (kind, one) => expect(twinKindOf(template, one)).toBe(kind));
});

describe('a twin', () => {
  it('of a file is a missing name beside it with the same beginning and extension', () => {
    expect(twinRequest('file', asked('/a/dump.sql'))?.path).toMatch(/^\/a\/dump-nothing-[\da-f]{12}\.sql$/);
    expect(twinRequest('method', asked('/api?x=1', { method: 'PUT', body: '{}' }))).toMatchObject({
      path: expect.stringMatching(/^\/api-nothing-[\da-f]{12}\?x=1$/),
      method: 'PUT',
      body: '{}',
    });
  });

  it('of a listing is a folder that does not exist', () => {
    expect(twinRequest('listing', asked('/files/'))?.path).toMatch(/^\/files-nothing-[\da-f]{12}\/$/);
  });

  it('of a parameter has a value of the same length without the signs of the payload', () => {
    expect(twinRequest('parameter', asked('/p?id=7&f=../../etc/passwd'))?.path).toMatch(/^\/p\?id=7&f=[a-z]{16}$/);
    expect(harmlessLike("1' OR 22=22")).toMatch(/^\d[a-z]{5}\d\d[a-z]\d\d$/);
  });

  it('of a redirect has a path of the site', () => {
    const path = twinRequest('redirect', asked('/go?to=https%3A%2F%2Fa.example%2F'))?.path ?? '';
    expect(decodeURIComponent(path)).toMatch(/^\/go\?to=\/nothing-[\da-f]{12}$/);
  });

  it('of a password is a wrong one of the same request', () => {
    const of = (body: string): string =>
      twinRequest('password', asked('/in', { method: 'POST', body }))?.body as string;
    expect(of('user=admin&password=admin')).toMatch(/^user=admin&password=[\da-f]{8}$/);
    expect(of('{"user":"admin","pwd": "s3cret!!x"}')).toMatch(/^\{"user":"admin","pwd": "[\da-f]{9}"\}$/);
  });
});

describe('one twin serves another request', () => {
  const key = (path: string): string => twinKeyOf(twinKindOf(exposedEnv, asked(path)), asked(path));

  it('of the same folder, extension and kind of name, and no other one', () => {
    expect(key('/.env')).toBe(key('/.netrc'));
    expect(key('/a.sql')).toBe(key('/b.sql'));
    for (const other of ['/env', '/x/.env', '/.env.bak', '/.env?a=1']) expect(key(other)).not.toBe(key('/.env'));
  });

  it('for two minutes, unless it failed', async () => {
    let now = 0;
    let sent = 0;
    const twins = new Twins(() => now);
    const ask = (fails = false): Promise<unknown> =>
      twins.ask('key', { path: '/x', of: '/y' }, async () => {
        sent += 1;
        if (fails) throw new Error('reset');
        return {} as never;
      });
    await expect(ask(true)).rejects.toThrow('reset');
    await ask();
    now = 119_000;
    await ask();
    expect(sent).toBe(2);
    now = 120_000;
    await ask();
    expect(sent).toBe(3);
  });
});
