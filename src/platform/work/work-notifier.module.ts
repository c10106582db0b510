import { BullModule, getQueueToken } from '@nestjs/bull';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Queue } from 'bull';
import { Config } from '../config/load-config';
import { BullWorkNotifier, NOTIFICATION_QUEUE } from './bull-work-notifier';
import { PrimaryHostModule } from '../database/primary-host.module';
import { WorkNotifier } from './work-notifier';
import { RedisConnections } from './redis-connections';
import { PostgresWorkNotifier } from './postgres-work-notifier';

/** Bull on Redis if `REDIS_URL` is set, else PostgreSQL. */
@Module({})
export class WorkNotifierModule {
  static with({ REDIS_URL, REDIS_PREFIX }: Config): DynamicModule {
    return REDIS_URL === undefined ? throughPostgres() : throughBull(REDIS_URL, REDIS_PREFIX);
  }
}

const throughPostgres = (): DynamicModule => ({
  module: WorkNotifierModule,
  imports: [PrimaryHostModule],
  providers: [{ provide: WorkNotifier, useClass: PostgresWorkNotifier }],
  exports: [WorkNotifier],
});

function throughBull(url: string, prefix: string): DynamicModule {
  const connections = new RedisConnections(url);
  const queue = BullModule.registerQueue({
    name: NOTIFICATION_QUEUE,
    prefix,
    createClient: (role) => connections.get(role),
    // Detects within seconds that a worker died with the job, or that Redis is available again.
    settings: { lockDuration: 10_000, stalledInterval: 5_000, retryProcessDelay: 1_000 },
  });
  return {
    module: WorkNotifierModule,
    imports: [queue],
    providers: [
      {
        provide: WorkNotifier,
        inject: [getQueueToken(NOTIFICATION_QUEUE), Config],
        useFactory: (queued: Queue, config: Config) => new BullWorkNotifier(queued, connections, config),
      },
    ],
    exports: [WorkNotifier],
  };
}
