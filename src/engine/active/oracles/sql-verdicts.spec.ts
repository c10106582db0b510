import { randomBytes } from 'node:crypto';
import { lookFirst } from '../../assess';
import type { Baseline } from '../../baseline';
import { sqlInjection } from '../../checks/sql-injection';
import { siteSetup } from '../../testing/target-states';
import { type Disturbance, type Reply, send } from '../../testing/target-server';
import { HOST, sharedTestTarget, type TargetSetup } from '../../testing/test-target';
import { ProbeSession } from '../../probe-session';
import type { WebTarget } from '../../target';
import { type Verdict, verify } from '../../verdict';
import { queryPoint } from '../testing/injectable-shop';

const testTarget = sharedTestTarget();
const SIGN = /['"()*|&;`$]/;

const page = (text: string, status = 200, headers: Reply['headers'] = {}): Reply => ({
  status,
  headers: { server: 'shop', ...headers },
  body: `<!doctype html><title>Items</title><h1>Items of the shop</h1><p>${text}</p><footer>About this shop</footer></html>`,
});
const FOUND = page('the fifth item has a price');
const NONE = page('nothing found for these words');

type Program = (value: string) => Reply;

const vulnerable: Program = (value) => {
  const [, one, other, stated] = /CASE\((\d+)\*(\d+)\)WHEN\((\d+)\)/.exec(value) ?? [];
  return value === '5' || (value.startsWith('5*CASE') && Number(one) * Number(other) === Number(stated)) ? FOUND : NONE;
};
const fixed =
  (refusal: Reply): Program =>
  (value) =>
    /^\d+$/.test(value) ? FOUND : refusal;

const setup = (program: Program, disturb?: Disturbance): TargetSetup =>
  siteSetup(
    {
      answer: ({ url = '' }) =>
        url.startsWith('/items?') ? program(new URL(url, 'http://x.test').searchParams.get('v') ?? '') : null,
    },
    disturb,
  );

/** A firewall in front of the vulnerable application. */
const blocking =
  (status: number, body: string): Disturbance =>
  ({ url = '' }, response) => {
    if (!SIGN.test(decodeURIComponent(url))) return false;
    response.writeHead(status, { 'content-type': 'text/html', 'content-length': Buffer.byteLength(body) }).end(body);
    return true;
  };

const place = (): WebTarget => ({
  scheme: 'http',
  host: HOST,
  port: testTarget().server.port,
  path: '/items',
  parameter: 'v',
});
const via = { signal: new AbortController().signal };

async function baseline(program: Program = vulnerable): Promise<Baseline> {
  const transport = testTarget().transport(4_000, () => setup(program));
  const given = { experiment: { point: queryPoint('/items', '5') } };
  const seen = await lookFirst(sqlInjection, place(), new ProbeSession(transport, via), given);
  if (seen.baseline === null) throw new Error(`the weakness is not seen: ${seen.observation.detail}`);
  return seen.baseline;
}

async function retest(state: TargetSetup, program?: Program): Promise<Verdict & { readonly requests: number }> {
  const before = await baseline(program);
  const earlier = testTarget().server.paths.length;
  const transport = testTarget().transport(4_000, () => state);
  const { verdict } = await verify(sqlInjection, place(), before, transport, via, async () => null, {
    probes: 3,
    spreadMs: 0,
    overlaps: true,
  });
  return { ...verdict, requests: testTarget().server.paths.length - earlier };
}

const noisy =
  (program: Program): Program =>
  (value) => {
    const reply = program(value);
    return { ...reply, body: reply.body?.replace('<footer>', `<p>${randomBytes(6).toString('hex')}</p><footer>`) };
  };

describe('a retest of an SQL injection', () => {
  it('is still_vulnerable where it is, and ends with one experiment of each kind of client', async () => {
    const { result, requests } = await retest(setup(vulnerable));
    expect(result).toBe('still_vulnerable');
    expect(requests).toBeLessThan(120);
  });

  it.each<[string, Program]>([
    ['takes the number at its beginning', (value) => (/^5(?!\d)/.test(value) ? FOUND : NONE)],
    ['finds nothing for other values', fixed(NONE)],
    ['answers 400 to every word', fixed(page('a number is expected', 400))],
    ['answers 404 to every word', fixed(page('no such item', 404))],
    ['answers 500 to every word', fixed(page('the program failed', 500))],
    ['changes at each request', noisy(fixed(NONE))],
    [
      'lists another item as well',
      (value) => (/^\d+$/.test(value) ? page('the fifth item has a price, a sixth too') : NONE),
    ],
  ])('is fixed where the application %s, with at most 400 requests', async (_how, program) => {
    const { result, reason, requests } = await retest(setup(program), noisy(vulnerable));
    expect({ result, reason }).toMatchObject({ result: 'fixed' });
    expect(requests).toBeLessThanOrEqual(400);
  });

  it('sends at once what measures no time, also in several probes, and everything that does alone', async () => {
    const underWay = new Map<string, string | undefined>();
    let [most, mostClients] = [0, 0];
    let hasDelays = false;
    const besideDelays: string[] = [];
    const slow: Disturbance = ({ url = '', headers }, response) => {
      underWay.set(url, headers['user-agent']);
      const urls = [...underWay.keys()];
      // Repeats send none of these.
      most = Math.max(most, urls.filter((one) => one.includes('HAVING')).length);
      hasDelays ||= /sleep/i.test(url);
      // Until then, only whole probes run at the same time, each as one client.
      if (!hasDelays) mostClients = Math.max(mostClients, new Set(underWay.values()).size);
      if (urls.length > 1 && urls.some((one) => /sleep/i.test(one))) besideDelays.push(...urls);
      const value = new URL(url, 'http://x.test').searchParams.get('v');
      if (value === null) {
        underWay.delete(url);
        return false;
      }
      setTimeout(() => {
        underWay.delete(url);
        send(response, fixed(NONE)(value));
      }, 40);
      return true;
    };
    expect(await retest(setup(fixed(NONE), slow))).toMatchObject({ result: 'fixed' });
    expect({ most, mostClients }).toEqual({ most: 4, mostClients: 2 });
    expect(besideDelays).toEqual([]);
  });

  it('is inconclusive where one of two servers behind the address is fixed', async () => {
    let turn = 0;
    const balanced: Program = (value) => ((turn += 1) % 2 === 0 ? vulnerable : fixed(NONE))(value);
    const { result, reason } = await retest(setup(balanced));
    expect({ result, reason }).toMatchObject({
      result: 'inconclusive',
      reason: expect.stringContaining('some conditions'),
    });
  });

  it('is inconclusive where the row of the value is gone, so that all values get the same page', async () => {
    const { result, reason } = await retest(setup(() => NONE));
    expect({ result, reason }).toMatchObject({
      result: 'inconclusive',
      reason: expect.stringContaining('as conditions were'),
    });
  });

  it.each<[string, Disturbance]>([
    ['403', blocking(403, '<h1>Forbidden</h1>')],
    ['406', blocking(406, '<h1>Not acceptable</h1>')],
    ['429', blocking(429, '<h1>Too many requests</h1>')],
    ['500', blocking(500, '<h1>Failed</h1>')],
    ['a challenge with 200', blocking(200, '<title>Wait</title><h1>Checking the browser</h1><p>One moment</p></html>')],
  ])(
    'is blocked where a firewall answers conditions with %s, and harmless values are answered',
    async (_how, disturb) => {
      expect(await retest(setup(vulnerable, disturb))).toMatchObject({
        result: 'blocked',
        reason: expect.stringMatching(
          /^16 of 16 tests of the parameter \w+ of \/\S+ were answered at .*: payloads got \d+/,
        ),
      });
    },
  );

  it.each<[string, Disturbance]>([
    ['a closed connection', ({ url = '' }, _response, line) => SIGN.test(decodeURIComponent(url)) && !!line.destroy()],
    [
      'what a cache has stored',
      (_request, response) => {
        const { body = '' } = FOUND;
        response
          .writeHead(200, { server: 'shop', age: '20', 'content-type': 'text/html', 'content-length': body.length })
          .end(body);
        return true;
      },
    ],
  ])('is inconclusive where a firewall or a cache answers with %s', async (_how, disturb) => {
    expect(await retest(setup(vulnerable, disturb))).toMatchObject({ result: 'inconclusive' });
  });
});
