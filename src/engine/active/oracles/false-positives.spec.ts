import { SeededRandom } from '../../testing/seeded-random';
import { Experiment } from '../experiment';
import { queryPoint } from '../testing/injectable-shop';
import { probeOf, provedAt, RANDOM_SITES, type Site, SOUND_SITES, VULNERABLE_SITES } from '../testing/simulated-sites';
import { commandInjectionOracle } from './command-injection';
import { sqlInjectionOracle } from './sql-injection';

const random = new SeededRandom(32);

// test/long has 10,000.
describe.each([
  ['sql-injection', sqlInjectionOracle],
  ['command-injection', commandInjectionOracle],
])('%s in 500 points without the weakness', (_id, oracle) => {
  it('proves nothing in 400 with all kinds of pages', async () => {
    expect(await provedAt(oracle, SOUND_SITES, 400, random)).toEqual([]);
  }, 60_000);

  it('proves nothing in 100 that answer at random', async () => {
    expect(await provedAt(oracle, RANDOM_SITES, 100, random)).toEqual([]);
  }, 60_000);
});

it('finds at least 95 % of 180 planted weaknesses on disturbed sites', async () => {
  const found = await provedAt(sqlInjectionOracle, VULNERABLE_SITES, 180, random, ['5']);
  expect(found.length).toBeGreaterThanOrEqual(171);
}, 60_000);

// Where a page changes by chance, so does their number.
it.each(Object.entries<Site>(SOUND_SITES))('mostly sends few requests to %s', async (_name, site) => {
  const counts: number[] = [];
  for (let turn = 0; turn < 9; turn += 1) {
    let requests = 0;
    const probe = probeOf(site, random, () => (requests += 1));
    await sqlInjectionOracle.observe(new Experiment(queryPoint('/list', 'item'), probe));
    counts.push(requests);
  }
  expect(counts.toSorted((one, other) => one - other)[4]).toBeLessThanOrEqual(80);
});
