import { setTimeout as delay } from 'node:timers/promises';
import type { Dice } from './dice';
import type { FaultStage } from './fault-stage';
import type { RedisServer } from './redis-server';
import type { Seat } from './seat';

export interface Fault {
  readonly name: string;
  /** Settles when the fault is over, but for what the stage is told of as `later`. */
  readonly strike: (stage: FaultStage, dice: Dice) => Promise<void>;
}

const awake = ({ workers }: FaultStage, dice: Dice): Seat => dice.pick(workers.filter(({ isPaused }) => !isPaused));

const seconds = (dice: Dice, least: number, most: number): Promise<void> => delay(dice.between(least, most) * 1_000);

/** One process alone is cut off, or all of them. */
const some = ({ seats }: FaultStage, dice: Dice): Seat[] => (dice.roll() < 0.4 ? seats : [dice.pick(seats)]);

async function whileCutOff(cutOff: Seat[], how: (seat: Seat) => unknown, pause: Promise<void>): Promise<void> {
  await Promise.all(cutOff.map(how));
  await pause;
  await Promise.all(cutOff.map(({ proxy }) => proxy.bringBack()));
}

async function restartPostgres({ postgres }: FaultStage, mode: 'fast' | 'immediate', away?: Promise<void>) {
  await postgres.stop(mode);
  await away;
  await postgres.start();
}

export const faults: readonly Fault[] = [
  {
    name: 'a worker killed in a retest',
    strike: async (stage, dice) => {
      await stage.busyWith('retest.run');
      await awake(stage, dice).restart('SIGKILL');
    },
  },
  {
    name: 'a worker killed in a job',
    strike: async (stage, dice) => {
      await stage.busyWith('job');
      await awake(stage, dice).restart('SIGKILL');
    },
  },
  {
    name: 'a worker killed each time it starts',
    strike: async (stage, dice) => {
      const seat = awake(stage, dice);
      for (let times = 0; times < 3; times++) {
        await seat.restart('SIGKILL');
        await seconds(dice, 0, 1);
      }
      await seat.restart('SIGKILL');
    },
  },
  {
    name: 'a worker paused for up to a minute',
    strike: async (stage, dice) => {
      await stage.quiet();
      const seat = awake(stage, dice);
      seat.pause();
      stage.later(seconds(dice, 30, 60).then(() => seat.wake()));
    },
  },
  { name: 'a worker ended in order', strike: (stage, dice) => awake(stage, dice).restart('SIGTERM') },
  { name: 'the API killed', strike: ({ api }) => api.restart('SIGKILL') },
  { name: 'PostgreSQL restarted', strike: (stage) => restartPostgres(stage, 'fast') },
  { name: 'PostgreSQL crashed', strike: (stage) => restartPostgres(stage, 'immediate') },
  {
    name: 'PostgreSQL away for longer than a lease',
    strike: (stage, dice) => restartPostgres(stage, 'immediate', seconds(dice, 10, 15)),
  },
  {
    name: 'connections cut',
    strike: (stage, dice) => whileCutOff(some(stage, dice), ({ proxy }) => proxy.takeAway(), seconds(dice, 0, 12)),
  },
  {
    name: 'connections hung',
    strike: (stage, dice) => whileCutOff(some(stage, dice), ({ proxy }) => proxy.hang(), seconds(dice, 1, 14)),
  },
  {
    name: 'answers to commits lost',
    strike: (stage, dice) =>
      whileCutOff(some(stage, dice), ({ proxy }) => proxy.loseAnswersTo('COMMIT'), seconds(dice, 1, 8)),
  },
];

const onRedis =
  (strike: (redis: RedisServer, dice: Dice) => Promise<void>): Fault['strike'] =>
  async ({ redis }, dice) => {
    if (redis !== undefined) await strike(redis, dice);
  };

/** Of the transport that has a Redis. */
export const redisFaults: readonly Fault[] = [
  {
    name: 'Redis down',
    strike: onRedis(async (redis, dice) => {
      await redis.stop();
      await seconds(dice, 2, 15);
      await redis.start();
    }),
  },
  {
    name: 'Redis hung',
    strike: onRedis(async (redis, dice) => {
      redis.pause();
      await seconds(dice, 2, 15);
      redis.resume();
    }),
  },
  { name: 'Redis restarted', strike: onRedis((redis) => redis.restart()) },
  { name: 'Redis emptied', strike: onRedis((redis) => redis.flush()) },
];
