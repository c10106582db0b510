import { BullModule } from '@nestjs/bull';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../config/load-config';
import { BullDoorbell, doorbellQueue } from './bull-doorbell';
import { Doorbell } from './doorbell';
import { DoorbellConnections } from './doorbell-connections';
import { PostgresDoorbell } from './postgres-doorbell';

/** Bull on Redis where there is one, else PostgreSQL, which is always there. */
@Module({})
export class DoorbellModule {
  static with({ REDIS_URL, REDIS_PREFIX }: Config): DynamicModule {
    return REDIS_URL === undefined ? throughPostgres() : throughBull(REDIS_URL, REDIS_PREFIX);
  }
}

const throughPostgres = (): DynamicModule => ({
  module: DoorbellModule,
  providers: [{ provide: Doorbell, useClass: PostgresDoorbell }],
  exports: [Doorbell],
});

function throughBull(url: string, prefix: string): DynamicModule {
  const connections = new DoorbellConnections(url);
  const queue = BullModule.registerQueue({
    name: doorbellQueue,
    prefix,
    createClient: (role) => connections.get(role),
    // A worker that dies holding the job is noticed within seconds, and so is a Redis that is back.
    settings: { lockDuration: 10_000, stalledInterval: 5_000, retryProcessDelay: 1_000 },
  });
  return {
    module: DoorbellModule,
    imports: [queue],
    providers: [
      { provide: DoorbellConnections, useValue: connections },
      { provide: Doorbell, useClass: BullDoorbell },
    ],
    exports: [Doorbell],
  };
}
