import { SeededRandom } from '../../testing/seeded-random';
import { Experiment } from '../experiment';
import { queryPoint } from '../testing/injectable-shop';
import { probeOf } from '../testing/simulated-sites';
import { proveComputation, showsDigits } from './computation';

const digits = '1234567890';

it.each([
  ['as they are', `<p>${digits}</p>`],
  ['behind 5 MB', `${'x'.repeat(5_000_000)}${digits}`],
  ['as numeric references', Array.from(digits, (digit) => `&#${digit.charCodeAt(0)};`).join('')],
  ['in part as numeric references', '&amp;12345&#x36;7890'],
])('shows digits that are written %s', (_how, text) => {
  expect(showsDigits(text, digits)).toBe(true);
});

it('looks for references to digits in the beginning of a page alone', () => {
  expect(showsDigits(`${'x'.repeat(100_000)}12345&#x36;7890`, digits)).toBe(false);
});

it('is proved by three results, and states the chance to meet them in pages of this length', async () => {
  const site = (value: string) => {
    const [, one, other] = /^(\d+)\*(\d+)$/.exec(value) ?? [];
    return { text: (one === undefined ? '' : String(Number(one) * Number(other))).padEnd(1_000, '.') };
  };
  const experiment = new Experiment(queryPoint('/sum', '5'), probeOf(site, new SeededRandom(7)));
  const certainty = await proveComputation(experiment, {
    id: 'product',
    place: 'a product',
    write: (_value, one, other) => `${one}*${other}`,
    quote: (_value, one, other) => `'${one}*${other}'`,
  });
  expect(certainty).toMatch(/^The results of 3 computations .* is below 1\.0e-18\.$/);
});
