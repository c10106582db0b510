import { createHash } from 'node:crypto';
import { accessSync, chmodSync, constants, existsSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ProcessUser } from './process-user';
import { Binaries } from './binaries';
import {
  clusterFolder,
  relocationLink,
  relocatedDir,
  makeFolder,
  explainWriteError,
  openDataFolder,
} from './data-folder';
import { StartRefused } from './start-refused';

/** The user, the programs and the folder of the embedded PostgreSQL. */
export interface Installation {
  processUser: ProcessUser;
  binaries: Binaries;
  /** The data folder, or the relocated folder. */
  storageDir: string;
  /** The version of the programs, `18.4`. */
  version: string;
}

export function chooseInstallation(dataDir: string): Installation {
  const processUser = ProcessUser.choose();
  const storageDir = chooseStorageDir(dataDir, processUser);
  const binaries = usableBinaries(processUser, storageDir);
  const version = /\d+(\.\d+)*/.exec(processUser.output(binaries.program('postgres'), '--version') ?? '')?.[0];
  if (version !== undefined) return { processUser, storageDir, binaries, version };
  throw new StartRefused(
    `PostgreSQL's programs in ${binaries.folder} do not run on this system (on Linux they need glibc). ` +
      `Use your own PostgreSQL: DATABASE_URL=postgres://user:password@host/database npm start`,
  );
}

/** The installed programs, or a copy if their links cannot be created or PostgreSQL's user cannot access them. */
function usableBinaries(processUser: ProcessUser, storageDir: string): Binaries {
  const installed = Binaries.installed();
  if (installed.createMissingLinks() && processUser.canEnter(installed.folder)) return installed;
  const copy = installed.copyTo(join(storageDir, `runtime-${installed.packageVersion()}`));
  copy.createMissingLinks();
  return copy;
}

function chooseStorageDir(dataDir: string, processUser: ProcessUser): string {
  const storageDir = relocatedDir(dataDir) ?? dataDir;
  const cluster = clusterFolder(storageDir);
  if (existsSync(cluster)) processUser.refuseOtherOwner(cluster);
  if (processUser.isOtherUser && existsSync(storageDir)) chmodSync(storageDir, 0o711);
  return storageDir === dataDir && processUser.canEnter(dataDir) ? dataDir : openRelocatedDir(dataDir, processUser);
}

/** Opens a folder outside of the data folder, which PostgreSQL's user cannot access, and links to it. */
function openRelocatedDir(dataDir: string, processUser: ProcessUser): string {
  const linked = relocatedDir(dataDir);
  const storageDir = linked ?? join(writableParent(), `assay-${shortHash(dataDir)}`);
  if (linked === undefined && existsSync(clusterFolder(dataDir))) {
    throw new StartRefused(
      `PostgreSQL's user can no longer access ${dataDir}, which contains the database. ` +
        `Move that folder to a path that all users can access: ASSAY_DATA=/path npm start`,
    );
  }
  try {
    makeFolder(storageDir);
    refuseOtherOwner(storageDir);
    openDataFolder(storageDir);
    if (processUser.isOtherUser) chmodSync(storageDir, 0o711);
    if (linked === undefined) symlinkSync(storageDir, relocationLink(dataDir));
  } catch (error) {
    throw explainWriteError(storageDir, error);
  }
  return storageDir;
}

/** All users can create folders in `/var/tmp`, so a folder of another user is refused. */
function refuseOtherOwner(storageDir: string): void {
  if (statSync(storageDir).uid === process.getuid?.()) return;
  throw new StartRefused(
    `${storageDir} belongs to another user. Use another folder for the data: ASSAY_DATA=/path npm start`,
  );
}

/** `/var/lib` is the standard place, but only root can write to it. `/var/tmp` is the fallback. */
function writableParent(): string {
  try {
    accessSync('/var/lib', constants.W_OK);
    return '/var/lib';
  } catch {
    return '/var/tmp';
  }
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
