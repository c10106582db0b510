import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync, existsSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from './error-code';
import { StartRefused } from './start-refused';

/** A folder that holds this file is one of ours, and may be deleted by `--reset`. */
const marker = 'assay-data.txt';
const markerText = 'The data of a local Assay. `npm start -- --reset` deletes them and begins anew.\n';

/** What we put into a data folder, and all that is ever deleted from it. */
const ownEntryPatterns = [
  /^cluster$/,
  /^cluster\.init-/,
  /^runtime-/,
  /^elsewhere$/,
  /^instance\.json$/,
  /^demo\.json(\.new)?$/,
  /^secret-key(\.sha256)?(\.new)?$/,
  /^assay-data\.txt$/,
];

/** The database itself: in the data folder, or in the one that stands in for it. */
export const clusterFolder = (storageDir: string): string => join(storageDir, 'cluster');

/** A link in the data folder to where the database really is, when PostgreSQL's user cannot enter the data folder. */
export const relocationLink = (dataDir: string): string => join(dataDir, 'elsewhere');

/** Makes the folder, or accepts it when it is ours or empty: other people's folders are left alone. */
export function openDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    if (existsSync(join(dataDir, marker))) return;
    if (otherEntries(dataDir).length > 0) {
      throw new StartRefused(
        `The folder ${dataDir} holds other things than Assay's data. Name an empty or a new one: ASSAY_DATA=/path npm start`,
      );
    }
    writeFileSync(join(dataDir, marker), markerText);
  } catch (error) {
    throw explainWriteError(dataDir, error);
  }
}

/** Deletes the data, and nothing that we did not put there; what says that the folder is ours stays. */
export function emptyDataFolder(dataDir: string): void {
  const entries = readdirSync(dataDir);
  if (entries.length > 0 && !entries.includes(marker)) {
    throw new StartRefused(
      `${dataDir} is not a data folder of Assay (it holds no ${marker}): nothing is deleted. Look at ASSAY_DATA.`,
    );
  }
  const relocated = relocatedDir(dataDir);
  try {
    if (relocated !== undefined && existsSync(relocated)) emptyDataFolder(relocated);
    for (const entry of entries.filter((name) => name !== marker && isOwnEntry(name))) {
      rmSync(join(dataDir, entry), { recursive: true, force: true });
    }
  } catch (error) {
    throw explainWriteError(dataDir, error);
  }
}

/** Folder by folder: Node's own recursive way never ends where the system says that the parent is not there (`/proc`). */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Whether the embedded database lives here. */
export const containsCluster = (dataDir: string): boolean =>
  existsSync(clusterFolder(dataDir)) || relocatedDir(dataDir) !== undefined;

export function relocatedDir(dataDir: string): string | undefined {
  try {
    return readlinkSync(relocationLink(dataDir));
  } catch {
    return undefined;
  }
}

/** Turns the system's refusal to write into a sentence; everything else stays what it is. */
export function explainWriteError(dataDir: string, error: unknown): unknown {
  const reason = reasons[errorCode(error) ?? ''];
  if (reason === undefined) return error;
  return new StartRefused(
    `The data folder ${dataDir} cannot be written: ${reason}. Name another one: ASSAY_DATA=/path npm start`,
  );
}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'there can be no folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'it is not a folder',
};

const isOwnEntry = (entry: string): boolean => ownEntryPatterns.some((pattern) => pattern.test(entry));

/** Fresh volumes and checkouts bring a `lost+found` or a dot file: those disturb nobody. */
const otherEntries = (dataDir: string): string[] =>
  readdirSync(dataDir).filter((entry) => !isOwnEntry(entry) && !entry.startsWith('.') && entry !== 'lost+found');
