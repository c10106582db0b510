import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync, existsSync, readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from './error-code';
import { StartRefused } from './start-refused';

/** A folder with this file is a data folder, and `--reset` may delete its data. */
const marker = 'assay-data.txt';
const markerText = 'The data of a local Assay. `npm start -- --reset` deletes it.\n';

/** The files of a data folder. A reset deletes nothing else. */
const ownEntryPatterns = [
  /^cluster$/,
  /^cluster\.init-/,
  /^runtime-/,
  /^elsewhere$/,
  /^instance\.json(\.new)?$/,
  /^demo\.json(\.new)?$/,
  /^secret-key(\.sha256)?(\.new)?$/,
  /^assay-data\.txt$/,
];

/** The folder of all data of `npm start`. */
export const dataFolder = ({ ASSAY_DATA }: NodeJS.ProcessEnv, projectDir: string): string =>
  resolve(projectDir, ASSAY_DATA || '.assay');

/** The folder of the database, in the data folder or in the relocated one. */
export const clusterFolder = (storageDir: string): string => join(storageDir, 'cluster');

/** A link in the data folder to the relocated database, if PostgreSQL's user cannot access the data folder. */
export const relocationLink = (dataDir: string): string => join(dataDir, 'elsewhere');

/** Creates the folder, or accepts an empty folder or a data folder. Refuses all other folders. */
export function openDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    if (existsSync(join(dataDir, marker))) return;
    if (otherEntries(dataDir).length > 0) {
      throw new StartRefused(
        `The folder ${dataDir} contains other files. Use an empty or a new folder: ASSAY_DATA=/path npm start`,
      );
    }
    writeFileSync(join(dataDir, marker), markerText);
  } catch (error) {
    throw explainWriteError(dataDir, error);
  }
}

/** Deletes the data. The marker and the files of other programs stay. */
export function emptyDataFolder(dataDir: string): void {
  const entries = readdirSync(dataDir);
  if (entries.length > 0 && !entries.includes(marker)) {
    throw new StartRefused(
      `${dataDir} is not a data folder of Assay (it has no ${marker}), so nothing is deleted. Correct ASSAY_DATA.`,
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

/** Not with Node's `recursive`, which never returns if the system reports a missing parent (`/proc`). */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (!existsSync(dirname(path))) makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** Whether the folder contains the embedded database. */
export const containsCluster = (dataDir: string): boolean =>
  existsSync(clusterFolder(dataDir)) || relocatedDir(dataDir) !== undefined;

/** Whether a reset would delete anything. */
export function hasData(dataDir: string): boolean {
  if (!existsSync(join(dataDir, marker))) return false;
  return readdirSync(dataDir).some((entry) => entry !== marker && isOwnEntry(entry));
}

export function relocatedDir(dataDir: string): string | undefined {
  try {
    return readlinkSync(relocationLink(dataDir));
  } catch {
    return undefined;
  }
}

/** Converts an error of the operating system into an error message. Returns other errors unchanged. */
export function explainWriteError(dataDir: string, error: unknown): unknown {
  const reason = reasons[errorCode(error) ?? ''];
  if (reason === undefined) return error;
  return new StartRefused(
    `The data folder ${dataDir} is not writable: ${reason}. Use another folder: ASSAY_DATA=/path npm start`,
  );
}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOENT: 'the folder cannot be created there',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'it is not a folder',
};

const isOwnEntry = (entry: string): boolean => ownEntryPatterns.some((pattern) => pattern.test(entry));

/** Ignores `lost+found` and dot files, which new volumes and checkouts contain. */
const otherEntries = (dataDir: string): string[] =>
  readdirSync(dataDir).filter((entry) => !isOwnEntry(entry) && !entry.startsWith('.') && entry !== 'lost+found');
