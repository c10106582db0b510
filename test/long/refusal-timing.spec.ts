import { freePort } from '../../src/engine/testing/real-server';
import { useApi } from '../support/api';
import { basic } from '../support/client';
import { Factories, unique } from '../support/factories';
import { withPassword } from '../support/portal';
import { type ApiProcess, startApiProcess } from '../support/processes';

const PAIRS = 200;
const WARM_UP = 20;
const MAX_RATIO = 1.5;
/** An account takes 100 guesses before it is throttled, and an address five requests for mail. */
const ACCOUNTS = 50;
/** Each has at most 100 open invitations. */
const ORGANIZATIONS = 8;

const api = useApi();
const make = new Factories(api);

/** Sends the request that differs in what it guesses, as a client with an address of its own. */
type Guess = (process: ApiProcess & { readonly portal: string }, address: string, pair: number) => Promise<Response>;

const addressOf = (number: number): string => `198.18.${number >> 8}.${number & 255}`;

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0;

/** Where clients have addresses of their own, so that the limits of guesses for one address are not reached. */
async function start(): Promise<ApiProcess & { readonly portal: string }> {
  const portal = await freePort();
  const running = await startApiProcess({
    PORTAL_PORT: String(portal),
    TRUSTED_PROXIES: '127.0.0.1',
    AUTH_FAILURES_PER_MINUTE: '10000',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'assay@example.com',
    LOG_LEVEL: 'warn',
  });
  return { ...running, portal: `http://127.0.0.1:${portal}` };
}

/** The first of each pair alternates, because what one request leaves behind slows the next. */
async function timesOf(guesses: readonly [Guess, Guess], status: number): Promise<[number[], number[]]> {
  const running = await start();
  const times: [number[], number[]] = [[], []];
  let client = 0;
  for (let pair = 0; pair < WARM_UP + PAIRS; pair += 1) {
    for (const which of pair % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const began = performance.now();
      const response = await guesses[which](running, addressOf((client += 1)), pair);
      await response.text();
      const ms = performance.now() - began;
      expect(response.status).toBe(status);
      if (pair >= WARM_UP) times[which].push(ms);
    }
  }
  return times;
}

async function expectAlike(name: string, guesses: readonly [Guess, Guess], status: number): Promise<void> {
  const [known, unknown] = (await timesOf(guesses, status)).map(median) as [number, number];
  process.stdout.write(`${name}: known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms (medians)\n`);
  expect(Math.max(known, unknown) / Math.min(known, unknown)).toBeLessThan(MAX_RATIO);
}

const get =
  (credentials: (pair: number) => { accessKey: string; secret: string }, path = '/v1/me'): Guess =>
  ({ url }, address, pair) =>
    fetch(url + path, { headers: { authorization: basic(credentials(pair)), 'x-forwarded-for': address } });

const post =
  (path: string, email: (pair: number) => string): Guess =>
  ({ portal }, address, pair) =>
    fetch(portal + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: portal, 'x-forwarded-for': address },
      body: new URLSearchParams({ email: email(pair), password: 'a wrong password' }),
    });

const unknownEmail = (pair: number): string => `${unique('nobody').replace(' ', '-')}-${pair}@example.com`;

async function accounts(): Promise<(pair: number) => string> {
  const tenant = await make.organization();
  const emails: string[] = [];
  while (emails.length < ACCOUNTS) emails.push(await withPassword(api, await tenant.as('member')));
  return (pair) => emails[pair % ACCOUNTS] ?? '';
}

describe('the time of a refusal does not show', () => {
  it('whether an API key exists', async () => {
    const { credentials } = await (await make.organization()).as('member');
    const known = get(() => ({ ...credentials, secret: 'wrong' }));
    const unknown = get((pair) => ({
      accessKey: `${credentials.accessKey.slice(0, -4)}${1000 + pair}`,
      secret: 'wrong',
    }));
    await expectAlike('API key', [known, unknown], 401);
  });

  it('whether a beacon exists', async () => {
    const tenant = await make.organization();
    const { client } = await tenant.as('admin');
    const { body } = await client.post(`/v1/organizations/${tenant.id}/beacons/`, {
      name: 'timed',
      allowed_cidrs: ['10.77.0.0/24'],
    });
    const known = get(() => ({ accessKey: String(body.id), secret: 'wrong' }), '/v1/beacons/connect');
    const unknown = get((pair) => ({ accessKey: `${2_000_000 + pair}`, secret: 'wrong' }), '/v1/beacons/connect');
    await expectAlike('beacon', [known, unknown], 401);
  });

  it('whether an address has an account, at the sign-in', async () => {
    const known = await accounts();
    await expectAlike('sign-in', [post('/sign-in', known), post('/sign-in', unknownEmail)], 401);
  });

  it('whether an address has an account, at the request for a new password', async () => {
    const known = await accounts();
    const path = '/forgotten-password';
    await expectAlike('forgotten password', [post(path, known), post(path, unknownEmail)], 200);
  });

  it('whether an invited address has an account', async () => {
    const known = await accounts();
    const organizations = await Promise.all(Array.from({ length: ORGANIZATIONS }, () => make.organization()));
    const owners = await Promise.all(organizations.map((tenant) => tenant.as('owner')));
    const invite =
      (email: (pair: number) => string): Guess =>
      ({ url }, address, pair) => {
        const at = pair % ORGANIZATIONS;
        return fetch(`${url}/v1/organizations/${organizations[at]?.id}/invitations/`, {
          method: 'POST',
          headers: {
            authorization: basic(owners[at]?.credentials ?? { accessKey: '', secret: '' }),
            'content-type': 'application/json',
            'x-forwarded-for': address,
          },
          body: JSON.stringify({ email: email(pair), role: 'viewer' }),
        });
      };
    await expectAlike('invitation', [invite(known), invite(unknownEmail)], 201);
  });
});
