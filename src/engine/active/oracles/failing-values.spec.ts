import { lookFirst } from '../../assess';
import type { Baseline } from '../../baseline';
import { pathTraversal } from '../../checks/path-traversal';
import { ProbeSession } from '../../probe-session';
import { SeededRandom } from '../../testing/seeded-random';
import type { Reply, Site } from '../../testing/target-server';
import { siteSetup } from '../../testing/target-states';
import { HOST, sharedTestTarget } from '../../testing/test-target';
import { verify } from '../../verdict';
import type { InsertionPoint } from '../../experiment-record';
import { placeOfPoint } from '../insertion-point';
import { pageWith } from '../testing/simulated-point';
import { readPath } from '../testing/virtual-files';

const POINT: InsertionPoint = { request: { path: '/export?file=gone' }, kind: 'query', name: 'file', value: 'gone' };
const FAILURE: Reply = { status: 500, body: '<title>Error</title><h1>Internal Server Error</h1>' };

type Show = (value: string) => Reply;
const site = (show: Show): Site => ({
  answer: ({ url = '/' }) => {
    const { pathname, searchParams } = new URL(url, 'http://target.test');
    return pathname === '/export' ? show(searchParams.get('file') ?? '') : null;
  },
});
const opened: Show = (value) => {
  const content = readPath(value);
  return content === null ? FAILURE : pageWith(content);
};
const checked: Show = (value) =>
  /^\w{1,12}$/.test(value) ? FAILURE : { status: 400, body: 'This is no name of a file' };

describe('a finding whose usual value fails with 500', () => {
  const testTarget = sharedTestTarget();
  const { signal } = new AbortController();

  const place = (): ReturnType<typeof placeOfPoint> =>
    placeOfPoint({ scheme: 'http', host: HOST, port: testTarget().server.port, path: '/' }, POINT);

  async function baselineOf(show: Show): Promise<Baseline> {
    const session = new ProbeSession(
      testTarget().transport(4_000, () => siteSetup(site(show))),
      { signal },
    );
    const seen = await lookFirst(pathTraversal, place(), session, { shown: [], experiment: { point: POINT } });
    expect(`${seen.observation.state}: ${seen.observation.detail}`).toMatch(/^vulnerable: /);
    return JSON.parse(JSON.stringify(seen.baseline)) as Baseline;
  }

  async function retested(show: Show): Promise<string> {
    const before = await baselineOf(opened);
    const random = new SeededRandom(7);
    const policy = { probes: 3, spreadMs: 4, randomBelow: (limit: number) => random.below(limit) };
    const transport = testTarget().transport(4_000, () => siteSetup(site(show)));
    const { verdict } = await verify(pathTraversal, place(), before, transport, { signal }, async () => null, policy);
    return `${verdict.result}: ${verdict.reason}`;
  }

  it('is proved once, and only repeated as a browser', async () => {
    const asked: string[] = [];
    const counting: Show = (value) => {
      asked.push(value);
      return opened(value);
    };
    const before = await baselineOf(counting);
    expect(before).toMatchObject({ experiment: { certainty: expect.stringContaining('2^30') } });
    expect(asked.filter((value) => value.includes('proc')).length).toBeLessThan(40);
  });

  it.each<[string, string, Show]>([
    ['is still vulnerable when nothing has changed', 'still_vulnerable', opened],
    ['is fixed when long values are refused, harmless ones as well', 'fixed', checked],
    ['is undecided when every value fails, as in an outage', 'inconclusive', () => FAILURE],
    [
      'is undecided when a rule answers payloads with a page',
      'inconclusive|blocked',
      (value) => (/\W/.test(value) ? pageWith('Your request looks unusual') : FAILURE),
    ],
  ])('%s', async (_what, result, show) => {
    expect(await retested(show)).toMatch(new RegExp(`^(?:${result}): `));
  });
});
