import { SeededRandom } from '../../testing/seeded-random';
import { Experiment } from '../experiment';
import { queryPoint } from '../testing/injectable-shop';
import { probeOf } from '../testing/simulated-sites';
import { commandInjectionOracle } from './command-injection';

const random = new SeededRandom(61);

/** An application that shows nothing, and takes so long for what the value asks it to wait. */
async function stateWith(takes: (ms: number) => number): Promise<string> {
  const site = (value: string) => ({
    text: 'The same page',
    ms: takes(1_000 * Number(/\$\(sleep ([\d.]+)\)/.exec(value)?.[1] ?? 0)) + random.between(10, 20),
  });
  const experiment = new Experiment(queryPoint('/tool', 'host'), probeOf(site, random));
  return (await commandInjectionOracle.observe(experiment)).state;
}

describe('delays', () => {
  it('are a proof where each answer comes later by what was asked', async () => {
    expect(await stateWith((ms) => ms)).toBe('proved');
  });

  it.each<[string, (ms: number) => number]>([
    ['15 % more than was asked', (ms) => ms * 1.15],
    ['a time that does not depend on it', () => 2_400],
    ['whole seconds', (ms) => Math.ceil(ms / 1_000) * 1_000],
    ['two seconds for each value with a delay', (ms) => (ms > 0 ? 2_550 : 0)],
    ['as long without a delay, now and then', (ms) => (ms === 0 && random.below(2) === 0 ? 1_500 : ms)],
  ])('are none where answers take %s', async (_what, takes) => {
    expect(await stateWith(takes)).not.toBe('proved');
  });
});
