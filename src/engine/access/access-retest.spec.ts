import type { AccessBaseline } from '../baseline';
import { CHECKS } from '../checks';
import { needsAccounts } from '../needs-accounts';
import { isOfSession } from '../session-record';
import { DEFAULT_PROBE_POLICY } from '../probe-policy';
import type { Retested } from '../retest';
import { AccessApplication, type AccessTraits, MAIL, MemorySession, type Person } from '../testing/access-application';
import { retestAccess } from './access-retest';
import { scanAccess } from './access-scan';

const signal = new AbortController().signal;
const target = { scheme: 'https', host: 'shop.test', port: 443, path: '/' } as const;

const WEAK: AccessTraits = {
  ids: 'numbers',
  form: 'html',
  control: 'member',
  nature: 'private',
  cache: 'none',
  hasTwin: true,
  isSoft: false,
};

/** The first finding of the application: what belongs to ada is given to others. */
async function weakness(application: AccessApplication): Promise<AccessBaseline> {
  const account = (person: Person, name: string) => ({
    id: person === 'ada' ? '1' : '2',
    name,
    values: [MAIL[person]],
    paths: application.pathsOf(person),
  });
  const { sightings } = await scanAccess({
    target,
    checks: CHECKS.filter((one) => needsAccounts(one) && !isOfSession(one)),
    transport: application.transport(),
    first: account('ada', 'customer A'),
    second: account('bob', 'customer B'),
    isAbove: false,
    shared: [],
    publicPaths: [],
    series: (work) =>
      work({ signal, session: new MemorySession('ada') }, { signal, session: new MemorySession('bob') }),
  });
  const found = sightings.flatMap(({ baseline }) => (baseline?.on === 'access' ? [baseline] : []));
  const known = found.find(({ access }) => access.twin !== null) ?? found[0];
  if (known === undefined) throw new Error('nothing was found');
  return known;
}

const retest = (
  application: AccessApplication,
  before: AccessBaseline,
  { livesFor = (): number => Infinity, refusalsCountAsFixed = false } = {},
): Promise<Retested> =>
  retestAccess({
    target,
    before,
    transport: application.transport(),
    owner: { signal, session: new MemorySession(before.access.owner.id === '1' ? 'ada' : 'bob') },
    other: { signal, session: new MemorySession(before.access.owner.id === '1' ? 'bob' : 'ada', livesFor) },
    policy: { ...DEFAULT_PROBE_POLICY, refusalsCountAsFixed },
  });

const isOfAda = (path: string): boolean => path.startsWith('/items/101');
const forbidden = { status: 403, body: 'Forbidden' };

interface Case {
  readonly traits?: Partial<AccessTraits>;
  /** What becomes of the application after the finding. */
  readonly change: (application: AccessApplication) => void;
  readonly result: string;
  readonly reason?: RegExp;
  readonly livesFor?: () => number;
}

const fix = (application: AccessApplication): void =>
  void (application.traits = { ...application.traits, control: 'owner' });

const CASES: readonly (readonly [string, Case])[] = [
  [
    'is still there',
    { change: () => {}, result: 'still_vulnerable', reason: /customer B got values of customer A from \/items\/1017/ },
  ],
  [
    'was repaired',
    { change: fix, result: 'fixed', reason: /in 6 of 6 turns customer B got 403 .* served its own object/ },
  ],
  [
    'was repaired so that others get a page with 200 for what does not exist',
    {
      traits: { isSoft: true },
      change: (application) => {
        fix(application);
        application.before = (visitor, path) =>
          visitor === 'bob' && isOfAda(path) ? application.reply(visitor, '/items/none') : null;
      },
      result: 'fixed',
    },
  ],
  [
    'was repaired for signed-in users alone',
    {
      change: (application) => {
        fix(application);
        application.before = (visitor, path) =>
          visitor === null && isOfAda(path) ? application.reply('ada', path) : null;
      },
      result: 'still_vulnerable',
      reason: /without a session/,
    },
  ],
  [
    'was repaired for one object alone',
    {
      change: (application) => {
        application.before = (visitor, path) => (visitor !== 'ada' && path === '/items/1017' ? forbidden : null);
      },
      result: 'still_vulnerable',
    },
  ],
  [
    'is hidden from the account of the tester alone',
    {
      change: (application) => {
        application.before = (visitor, path) => (visitor !== 'ada' && isOfAda(path) ? forbidden : null);
      },
      result: 'still_vulnerable',
      reason: /customer A got values of customer B/,
    },
  ],
  [
    'is hidden by a refusal of all that the account of the tester asks for',
    {
      change: (application) => {
        fix(application);
        application.before = (visitor, path) => (visitor === 'bob' && path.startsWith('/items/') ? forbidden : null);
      },
      result: 'inconclusive',
      reason: /not served its own object/,
    },
  ],
  [
    'is hidden by a session that ends',
    { change: fix, livesFor: () => 2, result: 'inconclusive', reason: /ended twice/ },
  ],
  [
    'is hidden by a page that asks to sign in again',
    {
      change: (application) => {
        fix(application);
        application.before = (visitor, path) =>
          visitor === 'bob' && isOfAda(path) ? { status: 302, body: '', headers: { location: '/login' } } : null;
      },
      result: 'inconclusive',
      reason: /asks to sign in/,
    },
  ],
  [
    'has another form',
    {
      change: (application) => void (application.rewrite = (body) => body.replace(/(?:da|ob)@/, '*@')),
      result: 'inconclusive',
      reason: /no longer shown its own values/,
    },
  ],
  [
    'has another form for others',
    {
      change: (application) => {
        fix(application);
        application.before = (visitor, path) =>
          visitor !== 'ada' && isOfAda(path)
            ? { status: 200, body: '<p>a*@people.test</p>', headers: { 'content-type': 'text/html' } }
            : null;
      },
      result: 'inconclusive',
      reason: /another form/,
    },
  ],
  [
    'is hidden by a firewall',
    {
      change: (application) => {
        application.before = (visitor, path) =>
          visitor !== 'ada' && isOfAda(path) ? { status: 429, body: 'Slow down' } : null;
        fix(application);
      },
      result: 'inconclusive',
      reason: /limits the request rate/,
    },
  ],
  [
    'is hidden by an outage',
    { change: (application) => void (application.before = () => ({ status: 502, body: '' })), result: 'inconclusive' },
  ],
  [
    'was deleted with its object',
    {
      change: (application) => {
        fix(application);
        application.before = (_visitor, path) => (isOfAda(path) ? { status: 404, body: 'Not found' } : null);
      },
      result: 'inconclusive',
      reason: /no longer shown/,
    },
  ],
  [
    'is refused to an account that has no object of its own',
    {
      traits: { hasTwin: false },
      change: fix,
      result: 'blocked',
      reason: /has no object of its own/,
    },
  ],
  [
    'is in a cache that was repaired',
    {
      traits: { control: 'owner', cache: 'by address' },
      change: (application) => void (application.traits = { ...application.traits, cache: 'none' }),
      result: 'fixed',
    },
  ],
  [
    'is in a cache',
    { traits: { control: 'owner', cache: 'by address' }, change: () => {}, result: 'still_vulnerable' },
  ],
];

it.each(CASES)('a weakness that %s', async (_name, { traits, change, result, reason = /./, livesFor }) => {
  const application = new AccessApplication({ ...WEAK, ...traits });
  const before = await weakness(application);
  application.empty();
  change(application);
  const { verdict, probes, baseline } = await retest(application, before, livesFor === undefined ? {} : { livesFor });
  expect({ result: verdict.result, reason: verdict.reason }).toEqual({ result, reason: expect.stringMatching(reason) });
  expect(baseline).toEqual(result === 'still_vulnerable' ? before : null);
  const kept = JSON.stringify(probes);
  expect(kept).not.toMatch(/<p>|Item|doctype/);
  if (result === 'fixed') expect(probes).toHaveLength(6);
});

it('a refusal counts as fixed without an object of the other account only where the organization says so', async () => {
  const application = new AccessApplication({ ...WEAK, hasTwin: false });
  const before = await weakness(application);
  fix(application);
  const { verdict } = await retest(application, before, { refusalsCountAsFixed: true });
  expect(verdict).toMatchObject({ result: 'fixed', byRefusal: 'setting' });
});

it('shows no secret of either session in what it reports while it runs', async () => {
  const application = new AccessApplication(WEAK);
  const before = await weakness(application);
  const isAda = before.access.owner.id === '1';
  const other = new MemorySession(isAda ? 'bob' : 'ada');
  const secret = MAIL[isAda ? 'ada' : 'bob'];
  other.secrets.add(secret);
  const reported: unknown[] = [];
  const { probes } = await retestAccess({
    target,
    before,
    transport: application.transport(),
    owner: { signal, session: new MemorySession(isAda ? 'ada' : 'bob') },
    other: { signal, session: other },
    policy: { ...DEFAULT_PROBE_POLICY, onProbe: (probe) => void reported.push(probe) },
  });
  for (const kept of [reported, probes].map((all) => JSON.stringify(all))) {
    expect(kept).toContain('[redacted]');
    expect(kept).not.toContain(secret);
  }
});
