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

/** Who runs PostgreSQL, with which programs, and in which folder. */
export interface Installation {
  processUser: ProcessUser;
  binaries: Binaries;
  /** The data folder itself, or the folder that stands in for it. */
  storageDir: string;
  /** The version of the programs, `18.4`. */
  version: string;
}

export function chooseInstallation(dataDir: string): Installation {
  const processUser = ProcessUser.choose();
  const storageDir = chooseStorageDir(dataDir, processUser);
  const binaries = usableBinaries(processUser, storageDir);
  const version = /\d+(\.\d+)*/.exec(processUser.output(binaries.program('postgres'), '--version') ?? '')?.[0];
  if (version !== undefined) return { processUser: processUser, storageDir: storageDir, binaries, version };
  throw new StartRefused(
    `PostgreSQL's programs in ${binaries.folder} do not run here (on Linux they need glibc). ` +
      `Name a PostgreSQL of your own: DATABASE_URL=postgres://user:password@host/database npm start`,
  );
}

/** The installed ones, or a copy where they cannot be mended or PostgreSQL's user cannot reach them. */
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

/** A folder that stands in for a data folder that PostgreSQL's user cannot enter, and a link that says so. */
function openRelocatedDir(dataDir: string, processUser: ProcessUser): string {
  const linked = relocatedDir(dataDir);
  const storageDir = linked ?? join(writableParent(), `assay-${shortHash(dataDir)}`);
  if (linked === undefined && existsSync(clusterFolder(dataDir))) {
    throw new StartRefused(
      `PostgreSQL's user can no longer enter ${dataDir}, where the database is. ` +
        `Move that folder to where every user may go, and say so: ASSAY_DATA=/path npm start`,
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

/** Everybody may make folders in `/var/tmp`: one that somebody else made is not for our data. */
function refuseOtherOwner(storageDir: string): void {
  if (statSync(storageDir).uid === process.getuid?.()) return;
  throw new StartRefused(
    `${storageDir} belongs to another user. Name another folder for the data: ASSAY_DATA=/path npm start`,
  );
}

/** The first survives a restart of the machine and is where such data belong; the second is there on every machine. */
function writableParent(): string {
  try {
    accessSync('/var/lib', constants.W_OK);
    return '/var/lib';
  } catch {
    return '/var/tmp';
  }
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
