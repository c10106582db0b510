import { assess } from '../../src/engine/assess';
import { checkById } from '../../src/engine/checks';
import { missChance } from '../../src/engine/residual-risk';
import { siteSetup } from '../../src/engine/testing/target-states';
import { HOST, TestTarget } from '../../src/engine/testing/test-target';
import type { Site } from '../../src/engine/testing/target-server';
import { verify } from '../../src/engine/verdict';
import { DECISIVE_REQUESTS } from '../../src/engine/client-behaviors';
import { ProbeSession } from '../../src/engine/probe-session';
import { SeededRandom } from '../../src/engine/testing/seeded-random';

const RUNS = 400;
const VULNERABLE: Site = { pages: { '/.git/HEAD': 'ref: refs/heads/main\n' } };
const FIXED: Site = {};

describe('a vulnerable node behind a load balancer that chooses at random', () => {
  it.each([
    [1, 2],
    [1, 4],
    [1, 8],
    [1, 16],
  ])('is missed as often as the formula for the residual risk says: %d of %d nodes', async (vulnerable, nodes) => {
    const check = checkById('exposed-git');
    if (check === null) throw new Error('the check exposed-git does not exist');
    const testTarget = await TestTarget.open();
    const random = new SeededRandom(nodes);
    const options = { signal: new AbortController().signal };
    const target = { scheme: 'http', host: HOST, port: testTarget.server.port, path: '/' } as const;
    try {
      const { baseline } = await assess(
        check,
        target,
        new ProbeSession(
          testTarget.transport(4_000, () => siteSetup(VULNERABLE)),
          options,
        ),
      );
      const balanced = testTarget.transport(4_000, () => ({ server }) => {
        server.balance = () => (random.next() < vulnerable / nodes ? VULNERABLE : FIXED);
      });
      let misses = 0;
      for (let run = 0; run < RUNS; run += 1) {
        const { verdict } = await verify(check, target, baseline, balanced, options, async () => null, {
          probes: 3,
          spreadMs: 0,
        });
        if (verdict.result === 'fixed') misses += 1;
        // Also that GET and HEAD found different nodes.
        else expect(['still_vulnerable', 'inconclusive']).toContain(verdict.result);
      }
      const chance = missChance(vulnerable, nodes, DECISIVE_REQUESTS);
      const deviation = Math.sqrt(RUNS * chance * (1 - chance));
      // Four deviations: exceeded by accident once in 16,000 times.
      expect(Math.abs(misses - RUNS * chance)).toBeLessThanOrEqual(4 * deviation + 1);
    } finally {
      await testTarget.close();
    }
  });
});
