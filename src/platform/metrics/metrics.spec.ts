import { Logger } from '@nestjs/common';
import { Metrics } from './metrics';

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('counts values of labels that are not declared as other', async () => {
  const metrics = new Metrics();
  const count = metrics.counter({ name: 'assay_test_total', help: 'A test', labels: { color: ['red', 'blue'] } });
  count({ color: 'red' });
  count({ color: 'https://tenant.example/' }, 2);
  const lines = (await metrics.registry.metrics()).split('\n').filter((line) => line.startsWith('assay_test_total'));
  expect(lines).toEqual([
    'assay_test_total{color="red"} 1',
    'assay_test_total{color="blue"} 0',
    'assay_test_total{color="other"} 2',
  ]);
});

it('answers a scrape without a value that is not read in time, and does not read it twice at once', async () => {
  jest.useFakeTimers();
  const warned = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const metrics = new Metrics();
  const gauge = metrics.gauge({ name: 'assay_test', help: 'A test', labels: { color: ['red'] } });
  let finish: (set: () => void) => void = () => undefined;
  const read = jest.fn(() => new Promise<() => void>((resolve) => (finish = resolve)));
  metrics.onScrape('test', [gauge], read);
  const valueOf = async (): Promise<number | undefined> =>
    (await metrics.registry.getSingleMetric('assay_test')?.get())?.values[0]?.value;

  const first = metrics.refresh();
  const second = metrics.refresh();
  finish(() => gauge.set({ color: 'red' }, 7));
  await Promise.all([first, second]);
  expect(read).toHaveBeenCalledTimes(1);
  expect(await valueOf()).toBe(7);

  const late = metrics.refresh();
  await jest.advanceTimersByTimeAsync(3_000);
  await late;
  expect(await valueOf()).toBeUndefined();
  expect(warned).toHaveBeenCalledWith('test: Error: not read within 3000 ms');
  expect(await metrics.registry.metrics()).toContain('assay_metrics_read_failures_total 1');
});
