import type { Config } from '../../platform/config/load-config';
import { awaitDatabase } from '../../platform/database/await-database';
import { createLog } from '../../platform/logging/log';
import { commandConfig } from './command-config';

/** For the connection, and for each answer: an unavailable database is reported within five seconds. */
const TIMEOUT_MS = 3_000;

/** The configuration of a command whose database is reachable. It is checked before Nest is loaded, which takes a second. */
export async function reachableConfig(): Promise<Config> {
  const { config, isLocal } = commandConfig();
  await awaitDatabase(config, createLog({ LOG_LEVEL: 'error', LOG_FORMAT: 'pretty' }), {
    name: isLocal ? 'The database of `npm start`' : undefined,
    waitMs: 0,
    timeoutMs: TIMEOUT_MS,
  });
  return config;
}
