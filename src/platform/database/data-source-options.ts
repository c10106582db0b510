import type { DataSourceOptions } from 'typeorm';
import type { Config } from '../config/load-config';
import type { DatabasePool } from './database-pool';

/** TypeORM on our pool: its `driver` option takes a module like `pg`, of which it uses the pool alone. */
export function dataSourceOptions(
  { DATABASE_URL }: Pick<Config, 'DATABASE_URL'>,
  pool: DatabasePool,
): DataSourceOptions {
  return {
    type: 'postgres',
    url: DATABASE_URL,
    driver: {
      Pool: function SharedPool() {
        return pool;
      },
    },
    poolErrorHandler: () => undefined,
    synchronize: false,
    migrationsRun: false,
    logging: false,
  };
}
