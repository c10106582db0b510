import type { Page } from '../../page';
import type { Experiment } from '../experiment';
import { Delays } from './delays';

it('the test of a value that waits twice in one statement ends after two delays, and the second one is short', async () => {
  const asked: number[] = [];
  const answer = { url: 'http://target.test/', status: 200, headers: { get: () => null }, text: '', hops: [] };
  const experiment = {
    point: { value: '5' },
    lastMs: 20,
    original: () => Promise.resolve(answer as unknown as Page),
    send(value: string) {
      asked.push(Number(value));
      this.lastMs = 20 + 2_000 * Number(value);
      return Promise.resolve(answer as unknown as Page);
    },
  };
  const delays = await Delays.at(experiment as unknown as Experiment, 2);
  experiment.lastMs = 20;
  const outcome = await delays.outcome({ id: 'x', by: 'It', write: (_value, seconds) => seconds }, '');
  expect(outcome).toMatchObject({ state: 'disturbed' });
  expect(asked.slice(1)).toEqual([0, 0.6]);
});
