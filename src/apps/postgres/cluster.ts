import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { clusterFolder, explainWriteError } from './data-folder';
import { errorCode } from './error-code';
import type { Installation } from './installation';
import { programEnvironment } from './server';
import { StartRefused } from './start-refused';

/** `postgres` is the superuser, `assay_owner` owns the schema, and the service uses `assay_app`. */
export const roles = ['postgres', 'assay_owner', 'assay_app'] as const;
export type Role = (typeof roles)[number];
export type Passwords = Record<Role, string>;

export interface Cluster {
  folder: string;
  passwords: Passwords;
}

/** Stored in the cluster, so that passwords and data are created and deleted together. */
const passwordsFile = 'assay-passwords.json';

const unfinishedPrefix = 'cluster.init-';

/** Opens the cluster in the folder. Creates it if it does not exist. */
export async function openCluster(installation: Installation, runDir: string, isDurable: boolean): Promise<Cluster> {
  const folder = clusterFolder(installation.storageDir);
  removeUnfinishedClusters(installation.storageDir);
  if (!existsSync(folder)) await createCluster(installation, folder, runDir, isDurable);
  installation.processUser.changeOwnerRecursively(folder);
  refuseOtherVersion(installation, folder);
  return { folder, passwords: readPasswords(folder) };
}

/**
 * If initdb is killed, the incomplete cluster starts and reports that it is ready. So it is created under a temporary name and
 * renamed when complete.
 */
async function createCluster(
  installation: Installation,
  folder: string,
  runDir: string,
  isDurable: boolean,
): Promise<void> {
  const unfinished = join(installation.storageDir, `${unfinishedPrefix}${randomBytes(4).toString('hex')}`);
  const passwordFile = join(runDir, 'password');
  const passwords = Object.fromEntries(roles.map((role) => [role, randomBytes(24).toString('base64url')]));
  try {
    mkdirSync(unfinished, { mode: 0o700 });
    installation.processUser.changeOwner(unfinished);
    writeFileSync(passwordFile, `${passwords['postgres']}\n`, { mode: 0o600 });
    installation.processUser.changeOwner(passwordFile);
    await initdb(installation, [
      `--pgdata=${unfinished}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--locale=C.UTF-8',
      '--no-instructions',
      ...(isDurable ? [] : ['--no-sync']),
    ]);
    const file = join(unfinished, passwordsFile);
    writeFileSync(file, JSON.stringify(passwords), { mode: 0o600 });
    installation.processUser.changeOwner(file);
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw explainWriteError(installation.storageDir, error);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function initdb(installation: Installation, args: string[]): Promise<void> {
  const child = installation.processUser.spawn(installation.binaries.program('initdb'), args, {
    env: programEnvironment(),
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [errorOutput, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'close')]);
  if (code !== 0)
    throw new StartRefused(
      `The database could not be created in ${installation.storageDir}:\n${errorOutput.trimEnd()}`,
    );
}

/** Deletes the remains of interrupted starts. The caller holds the instance lock. */
function removeUnfinishedClusters(storageDir: string): void {
  for (const entry of readdirSync(storageDir).filter((name) => name.startsWith(unfinishedPrefix))) {
    rmSync(join(storageDir, entry), { recursive: true, force: true, maxRetries: 5 });
  }
}

function refuseOtherVersion(installation: Installation, folder: string): void {
  const made = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
  if (made === installation.version.split('.')[0]) return;
  throw new StartRefused(
    `The data in ${folder} was created by PostgreSQL ${made}, but this Assay contains ${installation.version}. ` +
      `Use the previous version of Assay, or delete the data: npm start -- --reset`,
  );
}

export function readPasswords(folder: string): Passwords {
  try {
    const passwords: Passwords = JSON.parse(readFileSync(join(folder, passwordsFile), 'utf8'));
    return passwords;
  } catch (error) {
    if (errorCode(error) === 'EACCES') throw error;
    throw new StartRefused(
      `The file ${join(folder, passwordsFile)} is missing or not readable, and the database requires it. ` +
        `Restore the file, or delete the data: npm start -- --reset`,
    );
  }
}
