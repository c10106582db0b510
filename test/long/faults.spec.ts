import { Dice } from '../support/dice';
import { DnsServer } from '../support/dns-server';
import { Effects } from '../support/effects';
import { FaultLoop } from '../support/fault-loop';
import { FaultScene } from '../support/fault-scene';
import { FaultStage } from '../support/fault-stage';
import { type Fault, faults, redisFaults } from '../support/faults';
import { redisIsInstalled, RedisServer } from '../support/redis-server';
import { retestsAmong, startsIn } from '../support/starts';

const total = Number(process.env['FAULT_STARTS'] ?? 500);
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);

/** Every kind of fault comes as often as every other. */
const rounds = Math.max(1, Math.round(total / 160));

const mostMs = 90_000;

const transports = [
  { transport: 'PostgreSQL', isThere: true, redis: async () => undefined, own: [] as readonly Fault[] },
  { transport: 'Bull on Redis', isThere: redisIsInstalled, redis: () => RedisServer.start(), own: redisFaults },
];

const settings = { ENGINE_REQUESTS_PER_SECOND: '1000', ENGINE_PROBE_SPREAD_MS: '300' };

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

for (const { transport, isThere, redis, own } of transports) {
  const title = `${total} starts among faults, with ${transport} as the doorbell: each ends, once (FAULT_SEED=${seed})`;
  (isThere ? it : it.skip)(title, async () => {
    const dice = new Dice(seed);
    const stage = new FaultStage(await redis());
    const scene = new FaultScene(stage);
    const dns = new DnsServer();
    let codes: (number | null)[] = [];
    try {
      await dns.start();
      await stage.postgres.start();
      await scene.set(retestsAmong(total), dice);
      await stage.startProcesses({ ...settings, ...dns.settings, EGRESS_ALLOW: scene.egressAllow });
      await scene.mend();
      const starts = startsIn(scene, total, dice);
      const plan = dice.shuffled(Array.from({ length: rounds }, () => [...faults, ...own]).flat());
      const began = performance.now();
      const ends = await new FaultLoop(stage, mostMs).run(starts, plan, dice);
      const tookMs = performance.now() - began;
      const slowestMs = Math.max(...ends.map(({ ms }) => ms));
      const inPeaceMs = Math.max(0, ...ends.map(({ msInPeace }) => msInPeace));
      const givenUp = await new Effects(stage.postgres, scene).expectOnce();
      const [work] = await stage.postgres.query<{ again: number }>(
        'SELECT count(*)::int AS again FROM work WHERE attempt > 1',
      );
      process.stdout.write(
        [
          `\n| Doorbell | Starts | Faults | Begun more than once | Given up | Slowest | Slowest after the last fault | In all |`,
          `| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`,
          `| ${transport} | ${starts.length} | ${plan.length} | ${work?.again} | ${givenUp.retests + givenUp.jobs} ` +
            `| ${seconds(slowestMs)} | ${seconds(inPeaceMs)} | ${seconds(tookMs)} |\n\n`,
        ].join('\n'),
      );
      expect(inPeaceMs).toBeLessThan(mostMs);
    } finally {
      codes = await stage.close();
      await scene.leave();
      await dns.stop();
    }
    expect(codes).toEqual([0, 0, 0]);
  });
}
