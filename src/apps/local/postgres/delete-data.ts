import { existsSync } from 'node:fs';
import { clusterFolder, emptyDataFolder, relocatedDir } from './data-folder';
import { refuseRunningInstance } from './instance-lock';
import { stopAbandonedServer } from './stop-abandoned-server';

/** Deletes the database and everything that belongs to it, unless somebody is at work on it. */
export async function deleteData(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  refuseRunningInstance(dataDir);
  await stopAbandonedServer(clusterFolder(relocatedDir(dataDir) ?? dataDir));
  emptyDataFolder(dataDir);
}
