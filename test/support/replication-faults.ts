import type { SeededRandom } from '../../src/engine/testing/seeded-random';
import { type Fault, seconds } from './faults';
import type { ReplicatedDeployment } from './replicated-deployment';

type ReplicationFault = Fault<ReplicatedDeployment>;

/** A fault that goes on while the next ones are injected. */
const inBackground =
  (begin: (deployment: ReplicatedDeployment) => unknown, end: (deployment: ReplicatedDeployment) => Promise<void>) =>
  async (deployment: ReplicatedDeployment, random: SeededRandom): Promise<void> => {
    await deployment.finishBackgroundTasks();
    await begin(deployment);
    deployment.runInBackground(seconds(random, 1, 25).then(() => end(deployment)));
  };

/** `lose` takes the primary away. */
const primarySwitched =
  (lose: (deployment: ReplicatedDeployment, random: SeededRandom) => Promise<unknown>) =>
  async (deployment: ReplicatedDeployment, random: SeededRandom): Promise<void> => {
    await deployment.finishBackgroundTasks();
    await lose(deployment, random);
    await seconds(random, 0, 2);
    await deployment.promote();
  };

async function replicaStopped(deployment: ReplicatedDeployment, random: SeededRandom, signal: 'SIGINT' | 'SIGQUIT') {
  await deployment.finishBackgroundTasks();
  const { servers } = deployment;
  await servers.postgres.stop('third', signal);
  await seconds(random, 0, 5);
  await servers.startAgain('third');
}

export const replicationFaults: readonly ReplicationFault[] = [
  { name: 'the replica killed', inject: (deployment, random) => replicaStopped(deployment, random, 'SIGQUIT') },
  { name: 'the replica restarted', inject: (deployment, random) => replicaStopped(deployment, random, 'SIGINT') },
  {
    name: 'the replica paused in its replay',
    inject: inBackground(
      ({ servers }) => servers.pauseReplay('third'),
      ({ servers }) => servers.resumeReplay('third'),
    ),
  },
  {
    name: 'the replica hung',
    inject: inBackground(
      (deployment) => deployment.proxy('third').hang(),
      (deployment) => deployment.proxy('third').restore(),
    ),
  },
  {
    name: 'the primary crashed and another promoted',
    inject: primarySwitched(({ servers }) => servers.postgres.stop(servers.leader, 'SIGQUIT')),
  },
  {
    name: 'the primary stopped and another promoted',
    inject: primarySwitched(({ servers }) => servers.postgres.stop(servers.leader)),
  },
  {
    name: 'the primary out of reach and another promoted',
    inject: async (deployment, random) => {
      const proxy = deployment.proxy(deployment.servers.leader);
      await primarySwitched(async () => proxy.hang())(deployment, random);
      await proxy.restore();
    },
  },
  {
    name: 'the standby away, and promoted when it is back',
    inject: primarySwitched(async ({ servers }, random) => {
      const { leader, follower, postgres } = servers;
      await postgres.stop(follower);
      await seconds(random, 2, 8);
      await postgres.stop(leader, 'SIGQUIT');
      await servers.startAgain(follower);
    }),
  },
  { name: 'an API process killed', inject: (deployment, random) => deployment.kill('api', random.below(2)) },
  { name: 'a worker killed', inject: (deployment, random) => deployment.kill('worker', random.below(2)) },
];
