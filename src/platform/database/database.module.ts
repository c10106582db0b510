import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/load-config';
import { dataSourceOptions } from './data-source-options';
import { Database } from './database';
import { PreparedStatements } from './prepared-statements';
import { Transactions } from './transactions';

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({ ...dataSourceOptions(config), autoLoadEntities: true, retryAttempts: 0 }),
    }),
  ],
  providers: [Database, PreparedStatements, Transactions],
  exports: [Database, Transactions],
})
export class DatabaseModule {}
