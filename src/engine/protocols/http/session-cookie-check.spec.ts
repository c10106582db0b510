import { Headers } from '../../transport/headers';
import { sessionCookiesOf } from './session-cookie-check';

const namesIn = (...fields: string[]): string[] =>
  sessionCookiesOf({
    url: 'https://target.test/',
    status: 200,
    headers: new Headers(fields.map((field) => ['Set-Cookie', field])),
    body: Buffer.alloc(0),
    text: '',
    tls: null,
  }).map(({ name }) => name);

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
