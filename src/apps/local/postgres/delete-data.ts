import { existsSync } from 'node:fs';
import { clusterFolder, emptyDataFolder, relocatedDir } from './data-folder';
import { refuseLiving } from './instance-lock';
import { endOrphan } from './orphan';

/** Deletes the database and everything that belongs to it, unless somebody is at work on it. */
export async function deleteData(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  refuseLiving(dataDir);
  await endOrphan(clusterFolder(relocatedDir(dataDir) ?? dataDir));
  emptyDataFolder(dataDir);
}
