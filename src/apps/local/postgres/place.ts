import { createHash } from 'node:crypto';
import { accessSync, chmodSync, constants, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Account } from './account';
import { Binaries } from './binaries';
import { elsewhereLink, linkTarget, notWritable, openDataFolder } from './data-folder';
import { StartRefused } from './start-refused';

/** Who runs PostgreSQL, with which programs, and in which folder. */
export interface Place {
  account: Account;
  binaries: Binaries;
  /** The data folder itself, or the folder that stands in for it. */
  home: string;
  /** The version of the programs, `18.4`. */
  version: string;
}

export function choosePlace(dataDir: string): Place {
  const account = Account.choose();
  const home = chooseHome(dataDir, account);
  const binaries = usableBinaries(account, home);
  const version = /\d+(\.\d+)*/.exec(account.output(binaries.program('postgres'), '--version') ?? '')?.[0];
  if (version !== undefined) return { account, home, binaries, version };
  throw new StartRefused(
    `PostgreSQL's programs in ${binaries.folder} do not run here (on Linux they need glibc). ` +
      `Name a PostgreSQL of your own: DATABASE_URL=postgres://user:password@host/database npm start`,
  );
}

/** The installed ones, or a copy where they cannot be mended or PostgreSQL's user cannot reach them. */
function usableBinaries(account: Account, home: string): Binaries {
  const installed = Binaries.installed();
  if (installed.mend() && account.canEnter(installed.folder)) return installed;
  const copy = installed.copyTo(join(home, `runtime-${installed.packageVersion()}`));
  copy.mend();
  return copy;
}

function chooseHome(dataDir: string, account: Account): string {
  const moved = linkTarget(dataDir);
  if (moved === undefined && account.isSomebodyElse) chmodSync(dataDir, 0o711);
  if (moved === undefined && account.canEnter(dataDir)) return dataDir;
  const home = moved ?? join(writableParent(), `assay-${shortHash(dataDir)}`);
  try {
    mkdirSync(home, { recursive: true, mode: account.isSomebodyElse ? 0o711 : 0o700 });
    refuseForeign(home);
    openDataFolder(home);
    if (moved === undefined) symlinkSync(home, elsewhereLink(dataDir));
  } catch (error) {
    throw notWritable(home, error);
  }
  return home;
}

/** Everybody may make folders in `/var/tmp`: one that somebody else made is not for our data. */
function refuseForeign(home: string): void {
  if (statSync(home).uid === process.getuid?.()) return;
  throw new StartRefused(
    `${home} belongs to another user. Name another folder for the data: ASSAY_DATA=/path npm start`,
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
