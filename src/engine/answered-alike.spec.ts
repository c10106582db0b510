import { probeOf } from './active/testing/simulated-sites';
import { isAnsweredAsSent, type Sent } from './answered-alike';
import { SeededRandom } from './testing/seeded-random';

const sent = async (value: string, text: string): Promise<Sent> => ({
  value,
  answer: await probeOf(() => ({ text }), new SeededRandom(1)).http({ path: '/' }),
});

it.each([
  ['a short page that repeats both', 'None of redword', 'None of &lt;blue word&gt;', true],
  ['another page that repeats both', 'None of redword', 'Denied: &lt;blue word&gt;', false],
  ['an empty page in place of one that repeats it', 'redword', '', false],
  ['a page that repeats nothing', 'None of redword', 'None of', false],
  ['pages of nothing but the value, which firewalls send too', 'redword', 'blue word', false],
])('%s', async (_name, one, other, isAlike) => {
  const isFound = await isAnsweredAsSent(await sent('redword', one), await sent('<blue word>', other));
  expect(isFound).toBe(isAlike);
});
