import { ProbeSession } from '../probe-session';
import { calculated, page } from '../testing/active-scans';
import { HOST, sharedTestTarget } from '../testing/test-target';
import type { Reply } from '../testing/target-server';
import { takeCanary } from './canary';
import type { Canary } from '../experiment-record';
import { placeOfPoint } from './insertion-point';

const testTarget = sharedTestTarget();

async function canaryOf(answer: (value: string) => Reply): Promise<Pick<Canary, 'reflected' | 'changes'>> {
  const { server } = testTarget();
  server.site = { answer: ({ url = '' }) => answer(new URL(url, 'http://x').searchParams.get('a') ?? '') };
  const session = new ProbeSession(
    testTarget().transport(4_000, () => () => {}),
    { signal: new AbortController().signal },
  );
  const point = { request: { path: '/x?a=first' }, kind: 'query', name: 'a', value: 'first' } as const;
  const place = placeOfPoint({ scheme: 'http', host: HOST, port: server.port, path: '/' }, point);
  const { reflected, changes } = await takeCanary(point, place, session);
  return { reflected, changes };
}

it.each<[string, (value: string) => Reply, Pick<Canary, 'reflected' | 'changes'>]>([
  ['in a page', (value) => ({ body: page(calculated(value)) }), { reflected: true, changes: false }],
  ['in capitals', (value) => ({ body: page(value.toUpperCase()) }), { reflected: true, changes: true }],
  ['without its end', (value) => ({ body: page(value.slice(0, -1)) }), { reflected: true, changes: true }],
  ['in a header', (value) => ({ headers: { 'x-a': value }, body: 'x' }), { reflected: true, changes: false }],
  [
    'in a redirect',
    (value) => ({ status: 302, headers: { location: `/${value}` } }),
    { reflected: true, changes: false },
  ],
  ['nowhere', () => ({ body: page('first') }), { reflected: false, changes: false }],
  [
    'nowhere, with another page',
    (value) => ({ body: value === 'first' ? 'One' : 'Two' }),
    { reflected: false, changes: true },
  ],
  [
    'nowhere, with another status',
    (value) => ({ status: value === 'first' ? 200 : 404, body: 'x' }),
    { reflected: false, changes: true },
  ],
])('sees where the word comes back: %s', async (_name, answer, expected) => {
  expect(await canaryOf(answer)).toEqual(expected);
});

it('leaves no word in a cache that does not look at headers', async () => {
  const { server } = testTarget();
  const asked: string[] = [];
  server.site = {
    answer: ({ url = '' }) => {
      asked.push(url);
      return { body: page('x') };
    },
  };
  const session = new ProbeSession(
    testTarget().transport(4_000, () => () => {}),
    { signal: new AbortController().signal },
  );
  const point = {
    request: { path: '/x' },
    kind: 'header',
    name: 'X-Forwarded-Host',
    value: 'www.example.com',
  } as const;
  await takeCanary(point, placeOfPoint({ scheme: 'http', host: HOST, port: server.port, path: '/' }, point), session);
  expect(asked).toEqual([expect.stringMatching(/^\/x\?[\da-f]{12}$/), expect.stringMatching(/^\/x\?[\da-f]{12}$/)]);
  expect(new Set(asked).size).toBe(2);
});
