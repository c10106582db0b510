import type { InsertionPoint } from '../../experiment-record';
import { bodyWith, multipartBody, valuesOfBody } from '../../request-body';
import type { SentRequest } from '../../sent-request';
import { SeededRandom } from '../../testing/seeded-random';
import { provedOf, WEAKNESSES } from '../testing/proved-weaknesses';
import { answersAtRandom, PLANTED, SOUND } from '../testing/simulated-applications';

const request = (type: string, body: string): SentRequest => ({
  method: 'POST',
  path: '/find',
  headers: [['Content-Type', type]],
  body,
  submits: { page: null, fresh: [] },
});
const POINTS: readonly InsertionPoint[] = [
  { request: request('application/x-www-form-urlencoded', 'a=1&q=red'), kind: 'form', name: 'q', value: 'red' },
  {
    request: request(
      'multipart/form-data; boundary=----b',
      multipartBody(
        [
          { name: 'a', value: '1' },
          { name: 'q', value: 'red' },
        ],
        '----b',
      ),
    ),
    kind: 'form',
    name: 'q',
    value: 'red',
  },
  { request: request('application/json', '{"a":{"q":["red"]}}'), kind: 'json', name: 'a.q.0', value: 'red' },
];

it('prove nothing at 450 points of bodies without a weakness', async () => {
  const random = new SeededRandom(61);
  for (let at = 0; at < 450; at += 1)
    expect(await provedOf(random.pick(SOUND)(random), undefined, POINTS[at % 3])).toEqual([]);
});

it('prove nothing at 150 points of bodies that answer at random', async () => {
  const random = new SeededRandom(67);
  for (let at = 0; at < 150; at += 1)
    expect(await provedOf(answersAtRandom(random), undefined, POINTS[at % 3])).toEqual([]);
});

it('prove what was planted, and nothing else, at 150 points of bodies', async () => {
  const random = new SeededRandom(71);
  let found = 0;
  for (let at = 0; at < 150; at += 1) {
    const planted = random.pick(WEAKNESSES);
    const proved = await provedOf(random.pick(PLANTED[planted]), undefined, POINTS[at % 3]);
    expect(proved.filter((one) => one !== planted)).toEqual([]);
    found += proved.length;
  }
  expect(found).toBeGreaterThanOrEqual(143);
});

it.each(POINTS)(
  'a body keeps its other values, and arrives as it was sent: $kind $name',
  ({ request: asked, name }) => {
    for (const value of ['red', `"'<>&=+%0d\r\n--{}`, 'ä€😀', '']) {
      const body = bodyWith(asked, name, value);
      const before = valuesOfBody(asked).filter((one) => one.name !== name);
      const now = valuesOfBody({ ...asked, body });
      expect(now.find((one) => one.name === name)?.value).toBe(value);
      expect(now.filter((one) => one.name !== name)).toEqual(before);
    }
  },
);

it('a number in JSON stays one unless it is replaced', () => {
  const asked = request('application/json', '{"n":7,"on":true,"x":null}');
  expect(bodyWith(asked, 'n', '7')).toBe('{"n":7,"on":true,"x":null}');
  expect(bodyWith(asked, 'n', '8')).toBe('{"n":"8","on":true,"x":null}');
});
