import { commandInjectionOracle } from '../../src/engine/active/oracles/command-injection';
import { sqlInjectionOracle } from '../../src/engine/active/oracles/sql-injection';
import { provedOf } from '../../src/engine/active/testing/proved-weaknesses';
import { answersAtRandom, SOUND } from '../../src/engine/active/testing/simulated-applications';
import { provedAt, RANDOM_SITES, SOUND_SITES } from '../../src/engine/active/testing/simulated-sites';
import { SeededRandom } from '../../src/engine/testing/seeded-random';

const random = new SeededRandom(33);

describe.each([
  ['sql-injection', sqlInjectionOracle],
  ['command-injection', commandInjectionOracle],
])('%s in 10,000 points without the weakness', (_id, oracle) => {
  it('proves nothing in 8,000 with all kinds of pages', async () => {
    expect(await provedAt(oracle, SOUND_SITES, 8_000, random)).toEqual([]);
  });

  it('proves nothing in 2,000 that answer at random', async () => {
    expect(await provedAt(oracle, RANDOM_SITES, 2_000, random)).toEqual([]);
  });
});

describe('all other oracles in 10,000 points without a weakness', () => {
  it('prove nothing in 8,000 with all kinds of pages', async () => {
    for (let at = 0; at < 8_000; at += 1) expect(await provedOf(random.pick(SOUND)(random))).toEqual([]);
  });

  it('prove nothing in 2,000 that answer at random', async () => {
    for (let at = 0; at < 2_000; at += 1) expect(await provedOf(answersAtRandom(random))).toEqual([]);
  });
});
