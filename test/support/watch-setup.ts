import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseServer, template } from './database';
import { buildProcesses, dropDatabases, migrateTemplate, startServer } from './global-setup';
import { distKey } from './programs';

interface Kept {
  readonly server: DatabaseServer;
  built: number;
  migrated: number;
}

const holder = globalThis as { assayKept?: Kept };

const newest = (folder: string): number =>
  Math.max(...readdirSync(folder, { recursive: true }).map((path) => statSync(join(folder, String(path))).mtimeMs));

async function keep(): Promise<Kept> {
  const { server } = await startServer();
  process.once('exit', () => rmSync(process.env[distKey] ?? '', { recursive: true, force: true }));
  return { server, built: 0, migrated: 0 };
}

/**
 * Jest calls this before each run of a watch. The server is kept until the watch ends; programs are compiled and the template
 * is migrated again only when their sources have changed.
 */
export default async function watchSetup(): Promise<void> {
  const kept = (holder.assayKept ??= await keep());
  const now = Date.now();
  const ofMigrations = newest('migrations');
  if (Math.max(ofMigrations, newest('src')) > kept.built) {
    buildProcesses();
    kept.built = now;
  }
  await dropDatabases(kept.server, template(kept.server));
  if (ofMigrations > kept.migrated) {
    await migrateTemplate(kept.server);
    kept.migrated = now;
  }
}
