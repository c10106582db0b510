import type { DataSourceOptions } from 'typeorm';
import type { Config } from '../config/load-config';
import type { DatabasePool } from './database-pool';

/** TypeORM with our pool: it accepts a replacement for the `pg` module in `driver`, and uses only `Pool` of it. */
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
