import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from './address';
import { explainWriteError } from './data-folder';
import { errorCode } from './error-code';
import { processStart } from './processes';
import { StartRefused } from './start-refused';

export interface Holder {
  pid: number;
  started: string;
  runDir?: string;
  /** The address of the database, after the migrations. The command line uses it. */
  address?: Address;
}

/** Allows one running instance for each data folder. A lock of a killed instance is replaced. */
export class InstanceLock {
  private isHeld = true;

  private constructor(
    private readonly file: string,
    private readonly holder: Holder,
    /** The socket folder of a killed instance, which must be deleted. */
    readonly abandonedRunDir: string | undefined,
  ) {}

  static take(dataDir: string): InstanceLock {
    const file = lockFile(dataDir);
    const previous = refuseRunningInstance(dataDir);
    const holder = { pid: process.pid, started: processStart(process.pid) ?? 'unknown' };
    try {
      rmSync(file, { force: true });
      // `wx`: of two concurrent starts, one fails here.
      writeFileSync(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw explainWriteError(dataDir, error);
    }
    return new InstanceLock(file, holder, previous?.runDir);
  }

  /** Renames a complete file, because the command line may read it at any time. */
  record(facts: Pick<Holder, 'runDir' | 'address'>): void {
    Object.assign(this.holder, facts);
    writeFileSync(`${this.file}.new`, JSON.stringify(this.holder), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }

  /** Only once, because afterwards the file may belong to another instance. */
  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    rmSync(this.file, { force: true });
  }
}

/** Throws if an instance is running on the data. Returns the lock of a killed instance. */
export function refuseRunningInstance(dataDir: string): Holder | undefined {
  const holder = readToStart(dataDir);
  if (holder === undefined || processStart(holder.pid) !== holder.started) return holder;
  throw new StartRefused(
    `Another Assay (process ${holder.pid}) is running on the data in ${dataDir}. ` +
      `Stop it, or use another folder: ASSAY_DATA=/path npm start`,
  );
}

function readToStart(dataDir: string): Holder | undefined {
  try {
    return read(lockFile(dataDir));
  } catch (error) {
    throw explainWriteError(dataDir, error);
  }
}

/** The instance that is running on the data. Throws EACCES if the data belongs to another user. */
export function readInstance(dataDir: string): Holder | undefined {
  const holder = read(lockFile(dataDir));
  return holder !== undefined && processStart(holder.pid) === holder.started ? holder : undefined;
}

const lockFile = (dataDir: string): string => join(dataDir, 'instance.json');

function read(file: string): Holder | undefined {
  try {
    const holder: Holder = JSON.parse(readFileSync(file, 'utf8'));
    return holder;
  } catch (error) {
    if (errorCode(error) === 'EACCES') throw error;
    return undefined;
  }
}
