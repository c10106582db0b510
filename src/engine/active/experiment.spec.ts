import type { Probe, ProbeRequest } from '../probe';
import { SeededRandom } from '../testing/seeded-random';
import { Experiment } from './experiment';
import { queryPoint } from './testing/injectable-shop';
import { reflectedXss } from './oracles/reflected-xss';
import { probeOf } from './testing/simulated-sites';

it('names requests for the value itself in another way than those for payloads, which are numbered by their names', async () => {
  const names: (string | undefined)[] = [];
  const site = probeOf(() => ({ text: 'A page' }), new SeededRandom(1));
  const http = (request: ProbeRequest): ReturnType<Probe['http']> => {
    names.push(request.name);
    return site.http(request);
  };
  const experiment = new Experiment(queryPoint('/list', 'red'), { ...site, http });
  await experiment.original();
  await experiment.send("red'", { expects: 'a payload' });
  await experiment.send('red"', { expects: 'another payload' });
  const [original, payload, another] = names;
  expect(payload).toBe(another);
  expect(original).not.toBe(payload);
});

/** A firewall in front of an application that answers every value except words with its own page. */
it.each<[string, (value: string) => string, (value: string) => string, string]>([
  ['empty pages', (value) => value, () => '', 'disturbed'],
  ['nothing but the words of the value', (value) => value, (value) => value.replaceAll(/\W+/g, ' '), 'disturbed'],
  [
    'the words of the value',
    (value) => `<p>Hello ${value}</p>`,
    (value) => `Denied: ${value.replaceAll(/\W+/g, ' ')}`,
    'disturbed',
  ],
  [
    'nothing, and the application escapes',
    (value) => `<p>None of ${escaped(value)}</p>`,
    (value) => `<p>None of ${escaped(value)}</p>`,
    'sound',
  ],
])(
  'does not take a firewall that answers with %s as the repair of a page that repeats values',
  async (_name, application, firewall, state) => {
    const random = new SeededRandom(5);
    const site = probeOf((value) => ({ text: /^[\w-]*$/.test(value) ? application(value) : firewall(value) }), random);
    const experiment = new Experiment(queryPoint('/list', 'redword'), site, '<@></@>');
    expect(await experiment.run(reflectedXss)).toMatchObject({ state });
  },
);

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
