import { SeededRandom } from '../../testing/seeded-random';
import { provedOf, WEAKNESSES } from '../testing/proved-weaknesses';
import { answersAtRandom, PLANTED, SOUND } from '../testing/simulated-applications';
import type { Application } from '../testing/simulated-point';

/** Lets every twentieth request fail. */
const failing =
  (application: Application, random: SeededRandom): Application =>
  (value, path) =>
    random.below(20) === 0 ? { status: 503, body: 'Busy' } : application(value, path);

// test/long has 10,000.
describe('all oracles at hundreds of points', () => {
  it('prove nothing at 400 points without a weakness', async () => {
    const random = new SeededRandom(41);
    for (let at = 0; at < 400; at += 1) expect(await provedOf(random.pick(SOUND)(random))).toEqual([]);
  });

  it('prove nothing at 100 points that answer at random', async () => {
    const random = new SeededRandom(43);
    for (let at = 0; at < 100; at += 1) expect(await provedOf(answersAtRandom(random))).toEqual([]);
  });

  it('prove what was planted, and nothing else, at 200 points', async () => {
    const random = new SeededRandom(47);
    let found = 0;
    for (let at = 0; at < 200; at += 1) {
      const planted = random.pick(WEAKNESSES);
      const proved = await provedOf(random.pick(PLANTED[planted]));
      expect(proved.filter((one) => one !== planted)).toEqual([]);
      found += proved.length;
    }
    expect(found).toBeGreaterThanOrEqual(190);
  });

  it('prove nothing else at 50 points with a weakness where every twentieth request fails', async () => {
    const random = new SeededRandom(53);
    for (let at = 0; at < 50; at += 1) {
      const planted = random.pick(WEAKNESSES);
      const proved = await provedOf(failing(random.pick(PLANTED[planted]), random));
      expect(proved.filter((one) => one !== planted)).toEqual([]);
    }
  });
});
