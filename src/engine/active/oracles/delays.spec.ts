import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProbeSession } from '../../probe-session';
import { SeededRandom } from '../../testing/seeded-random';
import { Experiment } from '../experiment';
import type { Outcome } from '../outcome';
import { placeOf, queryPoint, transportTo } from '../testing/injectable-shop';
import { probeOf } from '../testing/simulated-sites';
import { commandInjectionOracle } from './command-injection';
import { Delays } from './delays';

const random = new SeededRandom(61);

/** An application that always shows the same page. `takes` is its response time for the delay that the value asks for. */
async function outcomeWith(takes: (ms: number, length: number) => number): Promise<Outcome> {
  const site = (value: string) => ({
    text: 'The same page',
    ms: takes(1_000 * Number(/\$\(sleep ([\d.]+)\)/.exec(value)?.[1] ?? 0), value.length) + random.between(10, 20),
  });
  const experiment = new Experiment(queryPoint('/tool', 'host'), probeOf(site, random));
  return commandInjectionOracle.observe(experiment);
}

const stateWith = async (takes: (ms: number, length: number) => number): Promise<string> =>
  (await outcomeWith(takes)).state;

let [delayed, undelayed] = [0, 0];

describe('delays', () => {
  it('are a proof where each answer comes later by what was asked', async () => {
    expect(await stateWith((ms) => ms)).toBe('proved');
  });

  it('are measured until a proof by chance is below one in a billion', async () => {
    const outcome = await outcomeWith((ms) => (ms === 0 && (undelayed += 1) % 2 === 0 ? 100 : ms));
    const [, chance] = /which is ([\d.e-]+)\.$/.exec('certainty' in outcome ? outcome.certainty : '') ?? [];
    expect(Number(chance)).toBeLessThan(1e-9);
  });

  it.each<[string, (ms: number) => number]>([
    ['twice as long as was asked', (ms) => 2 * ms],
    ['15 % longer than was asked', (ms) => ms * 1.15],
    ['at most a second longer', (ms) => Math.min(ms, 1_000)],
  ])('are no absence either where answers take %s', async (_what, takes) => {
    expect(await stateWith(takes)).toBe('disturbed');
  });

  it.each<[string, (ms: number, length: number) => number]>([
    ['longer values take longer, whatever they ask for', (_ms, length) => 60 * length],
    ['no answer waits', () => 0],
  ])('are an absence where %s', async (_what, takes) => {
    expect(await stateWith(takes)).toBe('sound');
  });

  it.each<[string, (ms: number, length: number) => number]>([
    ['15 % more than was asked', (ms) => ms * 1.15],
    ['a time that does not depend on it', () => 2_400],
    ['whole seconds', (ms) => Math.ceil(ms / 1_000) * 1_000],
    ['two seconds for each value with a delay', (ms) => (ms > 0 ? 2_550 : 0)],
    ['as long without a delay, every other time', (ms) => (ms === 0 && (undelayed += 1) % 2 === 0 ? 1_500 : ms)],
    ['0.32 s without a delay, every other time', (ms) => (ms === 0 && (undelayed += 1) % 2 === 0 ? 320 : ms)],
    ['0.15 s more than was asked, every other time', (ms) => (ms > 0 && (delayed += 1) % 2 === 0 ? ms + 150 : ms)],
    ['0.4 s for a delay of zero', (ms, length) => (ms === 0 && length > 10 ? 400 : ms)],
  ])('are none where answers take %s', async (_what, takes) => {
    expect(await stateWith(takes)).not.toBe('proved');
  });
});

it('are sent to a host one at a time, whatever sends them', async () => {
  let [now, most] = [0, 0];
  const server = createServer((request, response) => {
    const isDelay = request.url?.includes('sleep') === true;
    if (isDelay) most = Math.max(most, (now += 1));
    setTimeout(() => {
      if (isDelay) now -= 1;
      response.end('The same page');
    }, 100);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const transport = transportTo(port);
  const syntax = { id: 'x', by: 'It', write: (value: string, seconds: string) => `${value}sleep${seconds}` };
  const tests = ['/one', '/two', '/three'].map(async (path) => {
    const via = { signal: new AbortController().signal };
    const probe = new ProbeSession(transport, via).probe(placeOf(port, path));
    const delays = await Delays.at(new Experiment(queryPoint(path, 'a'), probe), 1);
    // Whether they seem to wait depends on the load of the machine, so the outcome does not matter.
    await delays.outcome(syntax, '');
  });
  await Promise.all(tests);
  expect(most).toBe(1);
  await new Promise((resolve) => server.close(resolve));
});
