import { describeTemplate, yamlCheck } from '../../findings/domain/check-definition';
import { checkOfReplay, objectionToMatch } from './replay-check';

const URL_OF_RESULT = 'https://a.test/info.php?x=abcd';
const replay = { method: 'GET', url: URL_OF_RESULT, match: 'PHP Version 8.1.2-1' };

const httpOf = (changes: Partial<typeof replay>): string => {
  const check = checkOfReplay({ ...replay, ...changes }, URL_OF_RESULT, 'zap 10001');
  if ('refusal' in check) throw new Error(check.refusal);
  return check.http ?? '';
};

it('a replay is a template that the engine accepts, at the path of the result', () => {
  const check = checkOfReplay(replay, URL_OF_RESULT, 'zap 10001');
  expect(check).toEqual({ location: 'https://a.test/info.php', http: expect.any(String), replay: true });
  expect(describeTemplate(httpOf({}))).toMatchObject({
    requests: [{ method: 'GET', target: '/info.php?x=abcd', isBelowPath: false }],
    unsafeMethods: [],
    missingValues: [],
  });
  expect(yamlCheck(httpOf({}))('https://a.test/info.php').warnings).toEqual([]);
  expect(httpOf({})).toContain('disable-cookie: true');
  expect(httpOf({})).not.toMatch(/cookie:(?! true)|authorization|redirects/i);
});

it.each([
  ['POST', { method: 'POST' }, 'only GET and HEAD'],
  ['another method in small letters', { method: 'get' }, 'only GET and HEAD'],
  ['another host', { url: 'https://b.test/info.php' }, 'another host'],
  ['another port', { url: 'https://a.test:8443/info.php' }, 'another host, scheme or port'],
  ['another scheme', { url: 'http://a.test/info.php' }, 'another host, scheme or port'],
  ['a host in the user information', { url: 'https://a.test@b.test/' }, 'another host'],
  ['a password', { url: 'https://user:pass@a.test/' }, 'a user name or a password'],
  ['no URL', { url: '/info.php' }, 'no http or https URL'],
  ['an expression in the match', { match: 'PHP {{BaseURL}} 8.1' }, '{{'],
])('a replay is refused: %s', (_name, changes, reason) => {
  expect(checkOfReplay({ ...replay, ...changes }, URL_OF_RESULT, 'zap 10001')).toEqual({
    refusal: expect.stringContaining(reason),
  });
});

it('a replay of a result without a URL is refused', () => {
  expect(checkOfReplay(replay, null, 'zap 1')).toHaveProperty('refusal');
  expect(checkOfReplay(replay, 'a.test:443', 'zap 1')).toHaveProperty('refusal');
});

it('text of the file becomes no expression and no other field of the template', () => {
  const http = httpOf({ url: 'https://a.test/a?b={{md5(1)}}', match: 'one:\n  - two: "three"\n#' });
  expect(http).toContain('{{RootURL}}/a?b=%7B%7Bmd5(1)%7D%7D');
  expect(() => describeTemplate(http)).not.toThrow();
  expect(http.match(/\{\{/g)).toHaveLength(1);
});

it.each([
  ['short', '8.1.2', 'shorter than 8'],
  ['a word', 'password', 'without the weakness'],
  ['a tag', '<textarea>', 'without the weakness'],
  ['a header field without a value', 'X-Powered-By:', 'without the weakness'],
  ['signs alone', '--------', 'without the weakness'],
  ['the value of a parameter', 'value="abcd1"', 'repeats a part of the request'],
  ['a part of the path', 'not found: info.php', 'repeats a part of the request'],
  ['the URL', 'a.test/INFO.php?x=ab', 'repeats a part of the request'],
])('the text of a response is weak evidence: %s', (_name, match, reason) => {
  expect(objectionToMatch(match, new URL(URL_OF_RESULT))).toContain(reason);
  expect(checkOfReplay({ ...replay, match }, URL_OF_RESULT, 'zap 1')).toHaveProperty('refusal');
});

it.each(['PHP Version 8.1.2', 'root:x:0:0:root', 'server: Apache/2.4.1', 'index of / backup'])(
  'the text of a response is good evidence: %s',
  (match) => {
    expect(objectionToMatch(match, new URL(URL_OF_RESULT))).toBeNull();
    expect(objectionToMatch(match, new URL('https://a.test/root/of/Server/PHP'))).toBeNull();
  },
);
