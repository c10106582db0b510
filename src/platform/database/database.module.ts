import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/load-config';
import { dataSourceOptions } from './data-source-options';
import { Database } from './database';
import { DatabaseClock } from './database-clock';
import { DatabaseContext } from './database-context';
import { DatabasePool } from './database-pool';
import { PreparedStatements } from './prepared-statements';
import { PrimaryHostModule } from './primary-host.module';
import { Replicas } from './replicas';
import { ShortReads } from './short-reads';
import { Transactions } from './transactions';

@Global()
@Module({
  imports: [
    PrimaryHostModule,
    TypeOrmModule.forRootAsync({
      inject: [Config, DatabasePool],
      useFactory: (config: Config, pool: DatabasePool) => ({
        ...dataSourceOptions(config, pool),
        autoLoadEntities: true,
        retryAttempts: 0,
      }),
    }),
  ],
  providers: [
    Database,
    DatabaseClock,
    DatabaseContext,
    DatabasePool,
    PreparedStatements,
    Replicas,
    ShortReads,
    Transactions,
  ],
  exports: [Database, DatabaseClock, DatabaseContext, DatabasePool, Replicas, Transactions],
})
export class DatabaseModule {}
