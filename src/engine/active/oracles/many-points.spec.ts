import { SeededRandom } from '../../testing/seeded-random';
import { answersAtRandom, PLANTED, SOUND, type Weakness } from '../testing/simulated-applications';
import { type Application, observeApplication } from '../testing/simulated-point';
import { headerInjection } from './header-injection';
import { pathTraversal } from './path-traversal';
import { redirectElsewhere } from './redirect-elsewhere';
import { reflectedXss } from './reflected-xss';
import { templateInjection } from './template-injection';

const ORACLES = { reflectedXss, pathTraversal, templateInjection, headerInjection, redirectElsewhere };
const NAMES = Object.keys(ORACLES) as Weakness[];

async function provedOf(application: Application): Promise<Weakness[]> {
  const proved: Weakness[] = [];
  for (const name of NAMES) {
    const { outcome } = await observeApplication(ORACLES[name], application);
    if (outcome.state === 'proved') proved.push(name);
  }
  return proved;
}

/** Every twentieth request fails. */
const failing =
  (application: Application, random: SeededRandom): Application =>
  (value, path) =>
    random.below(20) === 0 ? { status: 503, body: 'Busy' } : application(value, path);

describe('all oracles at thousands of points', () => {
  it('prove nothing at 8,000 points without a weakness', async () => {
    const random = new SeededRandom(41);
    for (let at = 0; at < 8_000; at += 1) expect(await provedOf(random.pick(SOUND)(random))).toEqual([]);
  });

  it('prove nothing at 2,000 points that answer at random', async () => {
    const random = new SeededRandom(43);
    for (let at = 0; at < 2_000; at += 1) expect(await provedOf(answersAtRandom(random))).toEqual([]);
  });

  it('prove what was planted, and nothing else, at 500 points', async () => {
    const random = new SeededRandom(47);
    let found = 0;
    for (let at = 0; at < 500; at += 1) {
      const planted = random.pick(NAMES);
      const proved = await provedOf(random.pick(PLANTED[planted]));
      expect(proved.filter((one) => one !== planted)).toEqual([]);
      found += proved.length;
    }
    expect(found).toBeGreaterThanOrEqual(475);
  });

  it('prove nothing else at 200 points with a weakness where every twentieth request fails', async () => {
    const random = new SeededRandom(53);
    for (let at = 0; at < 200; at += 1) {
      const planted = random.pick(NAMES);
      const proved = await provedOf(failing(random.pick(PLANTED[planted]), random));
      expect(proved.filter((one) => one !== planted)).toEqual([]);
    }
  });
});
