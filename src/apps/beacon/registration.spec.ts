import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentLog } from './agent-log';
import { FileState, type StateStore } from './agent-state';
import { connectFailureOf } from './connect-failure';
import type { Credentials } from './open-websocket';
import { readOptions } from './options';
import { readArguments } from './read-arguments';
import { detectedNetworks, Registration, type RegistrationOptions } from './registration';
import { SecretState } from './secret-state';
import { requestService } from './service-request';
import { until, useResources } from './testing/resources';
import type { LogLine } from './testing/test-agent';
import { startRegistrations, TestCluster } from './testing/test-registrations';

useResources();

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'assay-registration-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const oneTime = (letter: string, id = 7): string => `ar_${id}_${letter.repeat(43)}`;
const basic = (id: number, token: string): string => `Basic ${Buffer.from(`${id}:${token}`).toString('base64')}`;
const refusal = (status: number, description: string) => [status, { code: status, description }] as const;

interface Attempt {
  readonly lines: LogLine[];
  readonly result: Promise<Credentials | undefined>;
  stop(): void;
}

function attempt(url: URL, options: Partial<RegistrationOptions> & Pick<RegistrationOptions, 'store'>): Attempt {
  const lines: LogLine[] = [];
  const log = new AgentLog((line) => lines.push(JSON.parse(line) as LogLine), 'json');
  const stopping = new AbortController();
  const all = { token: undefined, name: undefined, networks: undefined, ...options };
  const service = { url, proxy: undefined, ca: undefined };
  const result = new Registration(service, all, log, stopping.signal).credentials();
  result.catch(() => {});
  return { lines, result, stop: () => stopping.abort() };
}

const inFile = (): FileState => new FileState(join(folder, 'state.json'));

const stores: [string, (registrationToken?: string) => Promise<() => StateStore>][] = [
  ['a file', async () => inFile],
  [
    'a Secret',
    async () => {
      const environment = await new TestCluster('beacon', {}).start(join(folder, 'account'));
      return () => new SecretState('beacon', environment, join(folder, 'account'));
    },
  ],
];

describe.each(stores)('an agent with its state in %s', (_name, start) => {
  it('registers once, with a token of its own, and needs no token after a restart', async () => {
    const store = await start();
    const service = await startRegistrations(() => [200, {}]);
    const networks = () => ['10.20.0.0/16'];
    const first = attempt(service.url, { store: store(), token: () => oneTime('r'), name: 'office', networks });
    const { id, token } = (await first.result) as Credentials;
    expect([id, token]).toEqual([7, expect.stringMatching(/^ab_[\w-]{43}$/)]);
    const body = { beacon_token: token, name: 'office', networks: ['10.20.0.0/16'] };
    expect(service.requests).toEqual([
      { method: 'POST', url: '/v1/beacons/register', authorization: basic(7, oneTime('r')), body },
    ]);
    expect(first.lines.map(({ event }) => event)).toEqual(['registered']);
    expect(JSON.stringify(first.lines)).not.toMatch(/a[rb]_/);
    for (const again of [{}, { name: 'office' }, { token: () => oneTime('r') }])
      expect(await attempt(service.url, { store: store(), ...again }).result).toEqual({ id, token });
    expect(service.requests).toHaveLength(1);
  });

  it('repeats a request whose response was lost with the same token', async () => {
    const store = await start();
    let isLost = true;
    const service = await startRegistrations((_request, response) => {
      if (!isLost) return [200, {}];
      isLost = false;
      response.destroy();
      return undefined;
    });
    const killed = attempt(service.url, { store: store(), token: () => oneTime('r') });
    await until(() => killed.lines.length > 0);
    killed.stop();
    expect(killed.lines).toMatchObject([{ event: 'disconnected', message: expect.stringContaining('reset') }]);
    const restarted = await attempt(service.url, { store: store(), token: () => oneTime('r') }).result;
    const tokens = service.requests.map(({ body }) => body['beacon_token']);
    expect(tokens).toEqual([restarted?.token, restarted?.token]);
  });

  it('registers anew with another token, and keeps its credentials if that is refused', async () => {
    const store = await start();
    const service = await startRegistrations(({ authorization }) =>
      authorization === basic(7, oneTime('x')) ? refusal(401, 'It has ended.') : [200, {}],
    );
    const first = await attempt(service.url, { store: store(), token: () => oneTime('r') }).result;
    const refused = attempt(service.url, { store: store(), token: () => oneTime('x') });
    expect(await refused.result).toEqual(first);
    expect(refused.lines).toMatchObject([{ event: 'warning', message: expect.stringContaining('It has ended.') }]);
    const second = await attempt(service.url, { store: store(), token: () => oneTime('s', 8) }).result;
    expect(second).toEqual({ id: 8, token: expect.stringMatching(/^ab_/) as string });
    expect(second?.token).not.toBe(first?.token);
  });

  it('refuses the credentials of another beacon, and to start without credentials and token', async () => {
    const store = await start();
    const service = await startRegistrations(() => [200, {}]);
    await expect(attempt(service.url, { store: store() }).result).rejects.toThrow(/has no credentials. Give a registr/);
    await attempt(service.url, { store: store(), token: () => oneTime('r'), name: 'berlin' }).result;
    await expect(attempt(service.url, { store: store(), name: 'paris' }).result).rejects.toThrow(
      'belongs to the beacon berlin, not to paris. Each beacon needs its own.',
    );
  });

  it('shares one registration with another agent that starts at the same time', async () => {
    const store = await start();
    const service = await startRegistrations(() => [200, {}]);
    const agents = Array.from({ length: 4 }, () => attempt(service.url, { store: store(), token: () => oneTime('r') }));
    const results = await Promise.all(agents.map(({ result }) => result));
    expect(new Set(results.map((one) => one?.token)).size).toBe(1);
    expect(new Set(service.requests.map(({ body }) => body['beacon_token'])).size).toBe(1);
  });

  it('says in one line why it cannot register, and tries again', async () => {
    const store = await start();
    const sentences = ['None of the networks 10.1.0.0/16 is inside those of the beacon.', 'The token has ended.'];
    const service = await startRegistrations(() => refusal(422, sentences.shift() ?? 'Other.'));
    const agent = attempt(service.url, { store: store(), token: () => oneTime('r') });
    await until(() => agent.lines.length > 0);
    agent.stop();
    expect(await agent.result).toBeUndefined();
    expect(agent.lines).toMatchObject([
      { event: 'disconnected', refused: true, message: expect.stringContaining('10.1.0.0/16 is inside') },
    ]);
  });
});

describe('the file of the state', () => {
  it('is readable by its user only, and leaves no draft', async () => {
    const service = await startRegistrations(() => [200, {}]);
    await attempt(service.url, { store: inFile(), token: () => oneTime('r') }).result;
    expect(readdirSync(folder)).toEqual(['state.json']);
    expect(statSync(join(folder, 'state.json')).mode & 0o777).toBe(0o600);
  });

  it('is an error if it cannot be read or written, and is not replaced', async () => {
    const path = join(folder, 'state.json');
    writeFileSync(path, 'not JSON');
    await expect(inFile().read()).rejects.toThrow('is not readable as JSON. Move it away');
    expect(readFileSync(path, 'utf8')).toBe('not JSON');
    const elsewhere = new FileState(join(folder, 'missing', 'state.json'));
    await elsewhere.read();
    await expect(elsewhere.write({ 'beacon-id': '7' })).rejects.toThrow('cannot be written (ENOENT).');
    expect(existsSync(join(folder, 'missing'))).toBe(false);
    chmodSync(path, 0o600);
  });
});

describe('a Secret of Kubernetes', () => {
  const accountIn = () => join(folder, 'account');

  it('may have the registration token, and keeps its other values', async () => {
    const cluster = new TestCluster('beacon', { 'registration-token': `${oneTime('r')}\n`, note: 'mine' });
    const environment = await cluster.start(accountIn());
    const service = await startRegistrations(() => [200, {}]);
    const first = await attempt(service.url, { store: new SecretState('beacon', environment, accountIn()) }).result;
    expect(first?.id).toBe(7);
    expect(Object.keys(cluster.values).sort()).toEqual([
      'beacon-id',
      'beacon-token',
      'note',
      'registration',
      'registration-token',
    ]);
    expect(cluster.values).toMatchObject({ 'beacon-id': '7', 'beacon-token': first?.token, note: 'mine' });
    expect(cluster.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'PATCH']);
  });

  it('that is missing is named in a line', async () => {
    const environment = await new TestCluster('beacon', {}).start(accountIn());
    const service = await startRegistrations(() => [200, {}]);
    const store = new SecretState('other', environment, accountIn());
    const agent = attempt(service.url, { store, token: () => oneTime('r') });
    await until(() => agent.lines.length > 0);
    agent.stop();
    expect(agent.lines[0]?.['message']).toContain(
      'The Secret other cannot be used: the API of Kubernetes answered 404. Create it',
    );
    expect(service.requests).toEqual([]);
  });

  it('is asked for only with the authority and the account of the pod', async () => {
    const environment = await new TestCluster('beacon', {}).start(accountIn());
    const read = (store: SecretState) => store.read(new AbortController().signal);
    await expect(read(new SecretState('beacon', {}, accountIn()))).rejects.toThrow('only in a pod of Kubernetes');
    await expect(read(new SecretState('beacon', environment, folder))).rejects.toThrow(
      'The pod has no service account',
    );
    await new TestCluster('beacon', {}).start(accountIn());
    await expect(read(new SecretState('beacon', environment, accountIn()))).rejects.toThrow(
      'The certificate of The API of Kubernetes is not valid',
    );
    expect(() => new SecretState('../../pods', environment)).toThrow('must be the name of a Secret');
  });
});

describe('the networks of this machine', () => {
  it('are those of its interfaces, without loopback and link-local ones', () => {
    const one = (address: string, cidr: string, internal = false) => ({ address, cidr, internal }) as never;
    const interfaces = {
      lo: [one('127.0.0.1', '127.0.0.1/8', true)],
      eth0: [one('10.20.7.9', '10.20.7.9/24'), one('fd00:20::9', 'fd00:20::9/64'), one('fe80::1', 'fe80::1/64')],
      eth1: [one('10.20.7.10', '10.20.7.10/24')],
    };
    expect(detectedNetworks(interfaces)).toEqual(['10.20.7.0/24', 'fd00:20::/64']);
  });
});

describe('the options of a registration', () => {
  const read = (...args: string[]) => readOptions(readArguments(['--url', 'https://assay.example.com', ...args]), {});

  it('state where the agent keeps its credentials, and which networks it has', () => {
    const file = join(folder, 'token');
    writeFileSync(file, `${oneTime('r')}\n`);
    const given = ['--registration-token-file', file, '--state-file', join(folder, 's'), '--name', 'office'];
    const { registration } = read(...given, '--allow', '10.0.0.0/8');
    expect([registration?.token?.(), registration?.name]).toEqual([oneTime('r'), 'office']);
    expect(registration?.networks?.()).toEqual(['10.0.0.0/8']);
    expect(read(...given, '--detect-networks').registration?.networks?.()).toEqual(detectedNetworks());
    expect(read(...given).registration?.networks).toBeUndefined();
  });

  it.each([
    [['--registration-token-file', 'x'], 'needs --state-file or --state-secret'],
    [['--state-file', 'x', '--state-secret', 'y'], 'Give --state-file or --state-secret, not both.'],
    [['--state-file', 'x', '--beacon-id', '7'], 'Give --beacon-id or the state of a registered agent, not both.'],
    [['--state-secret', 'A_B'], 'must be the name of a Secret'],
    [['--deletion-token-file', '/nowhere'], 'does not exist'],
  ])('are refused as %j', (args, sentence) => expect(() => read(...args)).toThrow(sentence));

  it('name no secret in an error', () => {
    const file = join(folder, 'token');
    writeFileSync(file, oneTime('r'));
    const refusals = [() => read('--deletion-token-file', file), () => read('--beacon-id', '7', '--token-file', file)];
    for (const refused of refusals) expect(refused).toThrow(/^(?!.*rrrr).*(has no deletion token|has no token)/);
  });
});

it('a deletion is one request, with the sentence of the service if it is refused', async () => {
  const service = await startRegistrations(({ authorization }) =>
    authorization === basic(7, 'ad_7_x') ? [204] : refusal(401, 'It ends after an hour.'),
  );
  const address = { url: service.url, proxy: undefined, ca: undefined };
  const remove = (token: string) =>
    requestService(
      address,
      { method: 'DELETE', path: '/v1/beacons/self', credentials: { id: 7, token } },
      new AbortController().signal,
    );
  await remove('ad_7_x');
  await expect(remove('ad_7_y')).rejects.toThrow(/answered 401\. It ends after an hour\./);
  expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'DELETE /v1/beacons/self',
    'DELETE /v1/beacons/self',
  ]);
});

it('a certificate that is not valid yet or any more leads to the clock', () => {
  for (const code of ['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'])
    expect(connectFailureOf(Object.assign(new Error('no'), { code }), 'x').message).toMatch(
      /^The certificate of x is not valid now: no\. The clock of this machine says 20\d\d-.*: check it first\.$/,
    );
});
