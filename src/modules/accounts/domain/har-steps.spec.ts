import { stepsOfHar } from './har-steps';

const ORIGIN = 'https://shop.example.com:443';
const URL_OF = 'https://shop.example.com';
const PASSWORD = 'correct horse 1';
const TOKEN = 'c0ffee00c0ffee00c0ffee00';

interface Stated {
  readonly method?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly text?: string;
}

const pairs = (record: Readonly<Record<string, string>> = {}) =>
  Object.entries(record).map(([name, value]) => ({ name, value }));

const entry = (url: string, { method, form, json, headers, cookies, type = 'text/html', text = '' }: Stated = {}) => ({
  request: {
    method: method ?? (form === undefined && json === undefined ? 'GET' : 'POST'),
    url: url.startsWith('/') ? `${URL_OF}${url}` : url,
    headers: pairs({ cookie: `sid=${TOKEN}`, authorization: `Bearer ${TOKEN}`, ...headers }),
    cookies: pairs({ sid: TOKEN, ...cookies }),
    ...(form && { postData: { mimeType: 'application/x-www-form-urlencoded; charset=UTF-8', params: pairs(form) } }),
    ...(json !== undefined && { postData: { mimeType: 'application/json', text: JSON.stringify(json) } }),
  },
  response: { status: 200, headers: pairs({ 'set-cookie': `sid=${TOKEN}` }), content: { mimeType: type, text } },
});

const har = (...entries: readonly unknown[]): Buffer => Buffer.from(JSON.stringify({ log: { entries } }));

const LOGIN = { user: 'ada', password: PASSWORD };
const whyRefused = (content: Buffer): string => {
  try {
    stepsOfHar(content, [ORIGIN]);
  } catch (error) {
    return String(error);
  }
  return 'accepted';
};

it('has the requests until the password was sent, with its fields by what they are', () => {
  const form = { ...LOGIN, csrf_token: TOKEN, remember: 'on', device: 'a1b2c3d4e5f6a7b8c9d0', otp: '123456' };
  const { recipe, secrets } = stepsOfHar(
    har(
      entry('/'),
      entry('/app.css', { type: 'text/css' }),
      entry('/logout'),
      entry('/login'),
      entry('/login', { form, headers: { 'X-Requested-With': 'XMLHttpRequest', 'X-Own': TOKEN } }),
      entry('/account'),
    ),
    [ORIGIN],
  );
  expect(secrets).toEqual({ password: PASSWORD });
  expect(recipe).toEqual({
    kind: 'steps',
    userName: 'ada',
    steps: [
      { method: 'GET', url: `${URL_OF}/`, format: 'none', fields: [] },
      { method: 'GET', url: `${URL_OF}/login`, format: 'none', fields: [] },
      {
        method: 'POST',
        url: `${URL_OF}/login`,
        format: 'form',
        fields: [
          ['user', { from: 'user_name' }],
          ['password', { from: 'password' }],
          ['csrf_token', { from: 'page', name: 'csrf_token' }],
          ['remember', { from: 'text', text: 'on' }],
        ],
        headers: [['X-Requested-With', { from: 'text', text: 'XMLHttpRequest' }]],
      },
    ],
  });
});

it('reads JSON in JSON, a user name that was asked for first, and a CSRF header of a cookie or a page', () => {
  const page = `<meta name="csrf-token" content="${TOKEN}x">`;
  const { recipe } = stepsOfHar(
    har(
      entry('/start', { text: page }),
      entry('/identify', {
        json: { login: 'ada' },
        headers: { 'X-XSRF-TOKEN': TOKEN },
        cookies: { 'XSRF-TOKEN': TOKEN },
      }),
      entry('/login', {
        json: { auth: { password: PASSWORD, remember: true } },
        headers: { 'X-CSRF-Token': `${TOKEN}x` },
      }),
    ),
    [ORIGIN],
  );
  expect(recipe).toMatchObject({
    userName: 'ada',
    steps: [
      { method: 'GET' },
      { fields: [['login', { from: 'user_name' }]], headers: [['X-XSRF-TOKEN', { from: 'page', name: 'sid' }]] },
      {
        fields: [
          ['auth.password', { from: 'password' }],
          ['auth.remember', { from: 'text', text: 'true' }],
        ],
        headers: [['X-CSRF-Token', { from: 'page', name: 'csrf-token' }]],
      },
    ],
  });
});

it('keeps nothing that may be a secret: cookies, headers, answers, tokens in addresses and in fields', () => {
  const { recipe } = stepsOfHar(
    har(
      entry(`/login?ticket=${TOKEN}`, { text: `secret ${TOKEN}` }),
      entry(`/reset/${TOKEN}`),
      entry(`/login?next=${TOKEN}`, { form: { ...LOGIN, device: TOKEN, note: `my ${PASSWORD}` } }),
    ),
    [ORIGIN],
  );
  expect(JSON.stringify(recipe)).not.toContain(TOKEN);
  expect(JSON.stringify(recipe)).not.toContain(PASSWORD);
  expect(recipe.steps.map(({ url }) => url)).toEqual([`${URL_OF}/login`, `${URL_OF}/login`]);
});

it('reads requests to the origins of the account alone', () => {
  const elsewhere = [
    'https://evil.example.com/login',
    'http://169.254.169.254/latest',
    'http://127.0.0.1/admin',
    'https://shop.example.com:8443/login',
    'https://user:pass@shop.example.com/login',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'not an address',
  ];
  const { recipe } = stepsOfHar(har(...elsewhere.map((url) => entry(url)), entry('/login', { form: LOGIN })), [ORIGIN]);
  expect(recipe.steps.map(({ url }) => url)).toEqual([`${URL_OF}/login`]);
  const own = har(...elsewhere.map((url) => entry(url, { form: LOGIN })));
  expect(whyRefused(own)).toMatch(/none of its requests is at an origin of the account: https:\/\/shop/);
});

it('is refused with what is wrong', () => {
  let deep: unknown = PASSWORD;
  for (let level = 0; level < 20_000; level += 1) deep = { password: deep };
  const nested = `{"log":{"entries":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}}`;
  for (const [content, reason] of [
    [Buffer.from('{"log"'), /not JSON/],
    [Buffer.from('[]'), /no log\.entries/],
    [Buffer.from('{"log":{"entries":{}}}'), /no log\.entries/],
    [har(...Array.from({ length: 501 }, () => 1)), /more than 500 requests/],
    [har(null, 1, 'x', {}, { request: 1 }), /none of its requests/],
    [Buffer.from(nested), /not JSON|none of its requests/],
    [har(entry('/login')), /no request .* password/],
    [har(entry('/login', { form: { password: '' } })), /no request .* password/],
    [har(entry('/signup', { form: { ...LOGIN, password2: 'another one' } })), /no request .* password/],
    [har(entry('/login', { form: { password: PASSWORD } })), /no field beside the password/],
    [har(entry('/login', { form: { user: 'ada', password: 'x' } })), /at least 3 characters/],
    [har(entry('/login', { json: [LOGIN] })), /none of its requests/],
  ] as const)
    expect(whyRefused(content)).toMatch(reason);
  expect(() => JSON.stringify(deep)).toThrow();
});

const formOf = (text: string) => ({
  request: {
    method: 'POST',
    url: `${URL_OF}/form`,
    headers: [],
    cookies: [],
    postData: { mimeType: 'application/x-www-form-urlencoded', text },
  },
});

describe('the slowest files of 4 MiB', () => {
  const SIZE = 4 * 1_024 * 1_024;
  const login = entry('/login', { form: LOGIN, headers: { 'X-CSRF': 'none' } });
  /** As many copies as fit, after what is small. */
  const filled = (most: number, one: (at: number) => unknown, bytes: number): readonly unknown[] =>
    Array.from({ length: Math.min(most, Math.floor((SIZE - 20_000) / bytes)) }, (_, at) => one(at));
  const csrf = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`X-${at}-CSRF`, `value ${at}`]));
  const pageOf = (text: string, length: number) => text.repeat(Math.floor(length / (text.length + 4)));
  const posts = Array.from({ length: 19 }, () => entry('/step', { form: { a: 'b' }, headers: csrf }));
  const deep = (name: string, leaf: unknown) =>
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [name + at, leaf]));

  it.each<[string, readonly unknown[]]>([
    [
      'tags in all answers, and headers in all steps',
      [...filled(13, (at) => entry(`/${at}`, { text: pageOf('<input id=a value=b>', 280_000) }), 300_000), ...posts],
    ],
    ['one tag', [entry('/', { text: `<input ${'name=a '.repeat(500_000)}` }), ...posts]],
    ['addresses', filled(499, (at) => entry(`/${'%2561/'.repeat(330)}${at}`), 4_000)],
    ['secret addresses', filled(499, (at) => entry(`/${'change-'.repeat(280)}${at}`), 4_000)],
    [
      'fields of a form',
      [entry('/a', { method: 'POST' }), ...filled(1, () => formOf('a=&'.repeat(1_300_000)), SIZE / 2)],
    ],
    ['cookies', [entry('/a', { form: { a: 'b' }, headers: csrf, cookies: deep('c', '%41'.repeat(20_000)) as never })]],
    ['names of JSON', [entry('/a', { json: { ['n'.repeat(3_000_000)]: deep('a', deep('b', 1)) } })]],
    ['objects of JSON', [entry('/a', { json: Array.from({ length: 300_000 }, () => ({})) })]],
    ['entries', filled(499, (at) => entry(`/${at}`, { headers: csrf }), 9_000)],
  ])('take at most 1.5 seconds of a slow processor: %s', (_name, entries) => {
    const content = har(...entries, login);
    expect(content.length).toBeLessThan(SIZE * 1.05);
    const started = process.cpuUsage();
    expect(whyRefused(content)).toBe('accepted');
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1_000).toBeLessThan(1_500);
  });
});
