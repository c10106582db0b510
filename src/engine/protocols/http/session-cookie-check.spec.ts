import type { WebSubject } from '../../check';
import { cookieWithoutHttponly } from '../../checks/cookie-without-httponly';
import type { Page } from '../../page';
import { Headers } from '../../transport/headers';
import { cookiesOf } from './session-cookie-check';

const pageWith = (...fields: readonly string[]): Page => ({
  url: 'https://target.test/',
  status: 200,
  headers: new Headers(fields.map((field) => ['Set-Cookie', field])),
  body: Buffer.alloc(0),
  text: '',
  tls: null,
  hops: [],
});
const namesIn = (...fields: string[]): string[] =>
  cookiesOf(pageWith(...fields)).flatMap(({ name, isSession }) => (isSession ? name : []));

const SECRET = '0123456789abcdef';

describe('session cookies', () => {
  it.each([
    'PHPSESSID',
    'JSESSIONID',
    'ASP.NET_SessionId',
    'ASPSESSIONIDQADCBRTA',
    'connect.sid',
    'sessionid',
    'SESSION',
    'laravel_session',
    '_my_app_session',
    'PLAY_SESSION',
    'my_shop_session',
    'MoodleSession',
    '__Host-session',
    '__Secure-next-auth.session-token',
    'sb-abcdef-auth-token',
    'access_token',
    'SSESS0123456789abcdef0123456789abcdef',
    'wordpress_logged_in_0123456789abcdef0123456789abcdef',
    '.AspNetCore.Identity.Application',
  ])('knows %s', (name) => {
    expect(namesIn(`${name}=${SECRET}`)).toEqual([name]);
  });

  it.each([
    'XSRF-TOKEN',
    'csrftoken',
    '_ga',
    '_hjSession_12345',
    '_hjSessionUser_12345',
    'ai_session',
    'incap_ses_123_456',
    'AMP_TOKEN',
    'AWSALB',
    'theme',
    'sessions_seen',
    '__RequestVerificationToken',
  ])('leaves %s alone', (name) => {
    expect(namesIn(`${name}=${SECRET}`)).toEqual([]);
  });

  it('treats a likely name as a session if its value is long enough', () => {
    expect(namesIn('in_session=1', 'auth_token=none', `in_session=${SECRET}`)).toEqual(['in_session']);
  });

  it('ignores removed cookies', () => {
    const past = 'Expires=Thu, 01 Jan 1970 00:00:00 GMT';
    expect(namesIn('sid=', 'sid=abc; Max-Age=0', `sid=abc; ${past}`)).toEqual([]);
    expect(namesIn(`sid=abc; Max-Age=60; ${past}`, 'sid=abc; Expires=whenever')).toEqual(['sid', 'sid']);
  });
});

describe('a cookie that may open a session under another name', () => {
  const [ours, other] = ['sid=abc; HttpOnly', `shopid=${SECRET}`];

  it.each<[string, string, readonly string[] | null, readonly string[]]>([
    ['not_vulnerable', 'in a job', null, [other]],
    ['inconclusive', 'in place of the session', ['sid'], [other]],
    ['inconclusive', 'in place of the session, known before', ['sid', 'shopid'], [other]],
    ['inconclusive', 'in place of the session, with a baseline of an earlier version', [], [other]],
    ['inconclusive', 'beside the session', ['sid'], [ours, other]],
    ['not_vulnerable', 'beside the session, known before', ['sid', 'shopid'], [ours, other]],
    ['not_vulnerable', 'beside the session, with a baseline of an earlier version', [], [ours, other]],
    ['not_vulnerable', 'that has what was missing', ['sid'], [`${other}; HttpOnly`]],
    ['not_vulnerable', 'that is too short', ['sid'], ['shopid=abc']],
    ['not_vulnerable', 'that scripts must read', ['sid'], [`csrftoken=${SECRET}`]],
    ['not_vulnerable', 'that is of a balancer', ['sid'], [`AWSALB=${SECRET}`]],
  ])('is %s %s', async (state, _what, names, fields) => {
    const subject = { page: pageWith(...fields), names } as unknown as WebSubject;
    expect(await cookieWithoutHttponly.observe(subject)).toMatchObject({ state });
  });
});
