import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Clock } from '../kernel/clock';
import { DecoratedProviders } from './api/decorated-providers';
import { ResourceOwners } from './audit/resource-owners';
import { UnitOfWork } from './audit/unit-of-work';
import { ConfigModule } from './config/config.module';
import type { Config } from './config/load-config';
import { DatabaseClock } from './database/database-clock';
import { DatabaseModule } from './database/database.module';
import { Idempotency } from './idempotency/idempotency';
import { IdempotencyRepository } from './idempotency/idempotency.repository';
import { StoredRows } from './limits/stored-rows';
import { Mailer } from './mail/mailer';
import { MetricsModule } from './metrics/metrics.module';
import { TracingModule } from './tracing/tracing.module';
import { WorkModule } from './work/work.module';

/** Providers of all processes: configuration, database, units of work and the queue. */
@Global()
@Module({})
export class PlatformModule {
  static with(config: Config): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        DiscoveryModule,
        ConfigModule.with(config),
        MetricsModule,
        TracingModule,
        DatabaseModule,
        WorkModule.with(config),
      ],
      providers: [
        { provide: Clock, useExisting: DatabaseClock },
        DecoratedProviders,
        UnitOfWork,
        ResourceOwners,
        Idempotency,
        IdempotencyRepository,
        StoredRows,
        Mailer,
      ],
      exports: [Clock, DecoratedProviders, UnitOfWork, ResourceOwners, Idempotency, StoredRows, Mailer],
    };
  }
}
