import type { IncomingMessage } from 'node:http';
import { siteSetup } from './testing/target-states';
import type { Reply, Site } from './testing/target-server';
import { HOST, TestTarget } from './testing/test-target';
import { checkFromYaml } from './templates/check-from-yaml';
import { detect } from './detect';
import { refute } from './refute';
import { verify } from './verdict';

const templateOf = (body: string): string => `
id: default-login
info: {name: The default password is set}
http:
  - method: POST
    path: ["{{BaseURL}}/api/login"]
    headers: {Content-Type: application/json}
    body: '${body}'
    matchers: [{type: word, words: [logged-in]}]
`;

const LOGIN = '{"user": "admin", "password": "admin"}';
const check = checkFromYaml(templateOf(LOGIN), { allowUnsafe: true });
const json = (status: number, object: unknown, headers = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(object),
});
const MISSING = json(404, { error: 'There is no such route' });
const WRONG = { error: 'Wrong user name or password' };

/** A site with an API below /api. */
const api = (login: Reply, missing: Reply = MISSING): Site => ({
  answer: ({ url = '' }: IncomingMessage) =>
    url.startsWith('/api/login?') || url === '/api/login' ? login : url.startsWith('/api/') ? missing : null,
});

let target: TestTarget;
beforeAll(async () => {
  target = await TestTarget.open();
});
afterAll(() => target.close());

const place = () => ({ scheme: 'https', host: HOST, port: target.server.port, path: '/' }) as const;
const via = () => ({ signal: new AbortController().signal });
const policy = { probes: 3, spreadMs: 0 };

async function resultAt(site: Site, with_ = check) {
  return refute(
    with_,
    place(),
    target.transport(4_000, () => siteSetup(site)),
    via(),
    policy,
  );
}

describe('a default password is refuted', () => {
  it.each<[string, Reply]>([
    ['401', json(401, { message: 'No' })],
    ['200 with an error object', json(200, WRONG)],
    ['400 with an error object', json(400, { errors: [{ detail: 'Bad credentials' }] })],
    ['200 with a result that failed', json(200, { success: false, message: 'Login failed' })],
  ])('where the API denies it with %s', async (_how, reply) => {
    expect(await resultAt(api(reply))).toMatchObject({
      result: 'refuted',
      reason: expect.stringContaining('every response came from the same target'),
    });
  });

  it('where missing paths get the page of the application with 200', async () => {
    const shell = { body: '<!doctype html><title>The app</title><div id="root"></div>' };
    expect(await resultAt(api(json(200, WRONG), shell))).toMatchObject({ result: 'refuted' });
  });
});

describe('a default password is not refuted', () => {
  it.each<[string, Site]>([
    ['missing paths are refused with 401 as well', api(json(401, WRONG), json(401, WRONG))],
    ['a wall refuses the whole folder', api(json(401, WRONG), json(403, { error: 'Forbidden' }))],
    ['missing paths get an error object with the same status', api(json(200, WRONG), json(200, { error: 'unknown' }))],
    ['missing paths redirect to a login', api(json(401, WRONG), { status: 302, headers: { location: '/login' } })],
    ['missing paths fail', api(json(401, WRONG), { status: 502 })],
    ['the path is refused with 403', api(json(403, WRONG))],
    ['another login is asked for', api(json(401, WRONG, { 'www-authenticate': 'Basic realm="staging"' }))],
    ['the account is locked', api(json(401, { error: 'The account is locked after too many attempts' }))],
    ['a token is missing', api(json(200, { error: 'login: the CSRF token is missing' }))],
    ['the password has to be changed, so it is right', api(json(401, { error: 'Change your password first' }))],
    ['the response is a page', api({ status: 401, body: '<h1>Wrong password</h1>' })],
    ['the error is about something else', api(json(200, { error: 'The shop is closed' }))],
    ['nothing says that it failed', api(json(200, { user: 'admin', status: 'ok' }))],
    ['the front page denies as well', { pages: { '/': json(200, WRONG), '/api/login': json(200, WRONG) } }],
  ])('where %s', async (_where, site) => {
    expect(await resultAt(site)).toMatchObject({ result: 'inconclusive' });
  });

  it.each([200, 401])(
    'by a request without a password, which a signed-in scanner may have sent: %i',
    async (status) => {
      const other = checkFromYaml(templateOf('{"id": 1}'), { allowUnsafe: true });
      expect(await resultAt(api(json(status, WRONG)), other)).toMatchObject({ result: 'inconclusive' });
    },
  );

  it('where one of several servers still accepts it', async () => {
    let requests = 0;
    const denied = json(401, WRONG);
    const some: Site = {
      answer: (request) => {
        if (!/^\/api\/login(?:\?|$)/.test(request.url ?? '')) return request.url?.startsWith('/api/') ? MISSING : null;
        requests += 1;
        return requests === 9 ? json(200, { state: 'logged-in' }) : denied;
      },
    };
    expect(await resultAt(some)).toMatchObject({ result: 'vulnerable' });
  });
});

it('a default password that was changed is fixed', async () => {
  const signed = api(json(200, { state: 'logged-in' }));
  const seen = await detect(
    check,
    place(),
    target.transport(4_000, () => siteSetup(signed)),
    via(),
  );
  const transport = target.transport(4_000, () => siteSetup(api(json(401, WRONG))));
  const { verdict } = await verify(check, place(), seen?.baseline ?? null, transport, via(), async () => null, policy);
  expect(verdict).toMatchObject({ result: 'fixed' });
});
