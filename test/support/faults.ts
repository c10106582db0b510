import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../../src/engine/testing/seeded-random';
import type { FaultDeployment } from './fault-deployment';
import type { RedisServer } from './redis-server';
import type { RestartableProcess } from './restartable-process';

export interface Fault<Deployment = FaultDeployment> {
  readonly name: string;
  /** Resolves when the fault is over, except for what it leaves to `runInBackground()`. */
  readonly inject: (deployment: Deployment, random: SeededRandom) => Promise<void>;
}

const runningWorker = ({ workers }: FaultDeployment, random: SeededRandom): RestartableProcess =>
  random.pick(workers.filter(({ isPaused }) => !isPaused));

export const seconds = (random: SeededRandom, least: number, most: number): Promise<void> =>
  delay(random.between(least, most) * 1_000);

/** For faults of the database connection: one process, or all of them. */
const oneOrAllProcesses = ({ processes }: FaultDeployment, random: SeededRandom): RestartableProcess[] =>
  random.next() < 0.4 ? processes : [random.pick(processes)];

async function interruptConnections(
  affected: RestartableProcess[],
  breakConnection: (process: RestartableProcess) => unknown,
  pause: Promise<void>,
): Promise<void> {
  await Promise.all(affected.map(breakConnection));
  await pause;
  await Promise.all(affected.map(({ proxy }) => proxy.restore()));
}

async function restartPostgres({ postgres }: FaultDeployment, mode: 'fast' | 'immediate', pause?: Promise<void>) {
  await postgres.stop(mode);
  await pause;
  await postgres.start();
}

export const faults: readonly Fault[] = [
  {
    name: 'a worker killed in a retest',
    inject: async (deployment, random) => {
      await deployment.waitUntilRunning('retest.run');
      await runningWorker(deployment, random).restart('SIGKILL');
    },
  },
  {
    name: 'a worker killed in a job',
    inject: async (deployment, random) => {
      await deployment.waitUntilRunning('job');
      await runningWorker(deployment, random).restart('SIGKILL');
    },
  },
  {
    name: 'a worker killed each time it starts',
    inject: async (deployment, random) => {
      const process = runningWorker(deployment, random);
      for (let times = 0; times < 3; times++) {
        await process.restart('SIGKILL');
        await seconds(random, 0, 1);
      }
      await process.restart('SIGKILL');
    },
  },
  {
    name: 'a worker paused for up to a minute',
    inject: async (deployment, random) => {
      await deployment.finishBackgroundTasks();
      const process = runningWorker(deployment, random);
      process.pause();
      deployment.runInBackground(seconds(random, 30, 60).then(() => process.resume()));
    },
  },
  {
    name: 'a worker stopped by SIGTERM',
    inject: (deployment, random) => runningWorker(deployment, random).restart('SIGTERM'),
  },
  { name: 'the API killed', inject: ({ api }) => api.restart('SIGKILL') },
  { name: 'PostgreSQL restarted', inject: (deployment) => restartPostgres(deployment, 'fast') },
  { name: 'PostgreSQL crashed', inject: (deployment) => restartPostgres(deployment, 'immediate') },
  {
    name: 'PostgreSQL stopped for longer than a lease',
    inject: (deployment, random) => restartPostgres(deployment, 'immediate', seconds(random, 10, 15)),
  },
  {
    name: 'connections cut',
    inject: (deployment, random) =>
      interruptConnections(
        oneOrAllProcesses(deployment, random),
        ({ proxy }) => proxy.disconnect(),
        seconds(random, 0, 12),
      ),
  },
  {
    name: 'connections hung',
    inject: (deployment, random) =>
      interruptConnections(oneOrAllProcesses(deployment, random), ({ proxy }) => proxy.hang(), seconds(random, 1, 14)),
  },
  {
    name: 'answers to commits lost',
    inject: (deployment, random) =>
      interruptConnections(
        oneOrAllProcesses(deployment, random),
        ({ proxy }) => proxy.dropAnswersTo('COMMIT'),
        seconds(random, 1, 8),
      ),
  },
];

const onRedis =
  (inject: (redis: RedisServer, random: SeededRandom) => Promise<void>): Fault['inject'] =>
  async ({ redis }, random) => {
    if (redis !== undefined) await inject(redis, random);
  };

/** Only for work notifications through Redis. */
export const redisFaults: readonly Fault[] = [
  {
    name: 'Redis down',
    inject: onRedis(async (redis, random) => {
      await redis.stop();
      await seconds(random, 2, 15);
      await redis.start();
    }),
  },
  {
    name: 'Redis hung',
    inject: onRedis(async (redis, random) => {
      redis.pause();
      await seconds(random, 2, 15);
      redis.resume();
    }),
  },
  { name: 'Redis restarted', inject: onRedis((redis) => redis.restart()) },
  { name: 'Redis emptied', inject: onRedis((redis) => redis.flush()) },
];
