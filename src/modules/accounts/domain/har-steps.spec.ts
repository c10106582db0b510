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
const refusalOf = (content: Buffer): string => {
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
  expect(refusalOf(own)).toMatch(/none of its requests is at an origin of the account: https:\/\/shop/);
});

it('is refused with what is wrong', () => {
  let deep: unknown = PASSWORD;
  for (let level = 0; level < 20_000; level += 1) deep = { password: deep };
  const nested = `{"log":{"entries":[${'['.repeat(100_000)}${']'.repeat(100_000)}]}}`;
  for (const [content, reason] of [
    [Buffer.from('{"log"'), /not JSON/],
    [Buffer.from('[]'), /no log\.entries/],
    [Buffer.from('{"log":{"entries":{}}}'), /no log\.entries/],
    [har(...Array.from({ length: 5_001 }, () => 1)), /more than 5000 requests/],
    [har(null, 1, 'x', {}, { request: 1 }), /none of its requests/],
    [Buffer.from(nested), /not JSON|none of its requests/],
    [har(entry('/login')), /no request .* password/],
    [har(entry('/login', { form: { password: '' } })), /no request .* password/],
    [har(entry('/signup', { form: { ...LOGIN, password2: 'another one' } })), /no request .* password/],
    [har(entry('/login', { form: { password: PASSWORD } })), /no field beside the password/],
    [har(entry('/login', { form: { user: 'ada', password: 'x' } })), /at least 3 characters/],
    [har(entry('/login', { json: [LOGIN] })), /none of its requests/],
  ] as const)
    expect(refusalOf(content)).toMatch(reason);
  expect(() => JSON.stringify(deep)).toThrow();
});
