import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainWriteError } from './data-folder';
import { processStart } from './processes';
import { StartRefused } from './start-refused';

export interface Holder {
  pid: number;
  started: string;
  runDir?: string;
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

  recordRunDir(runDir: string): void {
    this.holder.runDir = runDir;
    writeFileSync(this.file, JSON.stringify(this.holder), { mode: 0o600 });
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
  const holder = read(lockFile(dataDir));
  if (holder === undefined || processStart(holder.pid) !== holder.started) return holder;
  throw new StartRefused(
    `Another Assay (process ${holder.pid}) is running on the data in ${dataDir}. ` +
      `Stop it, or use another folder: ASSAY_DATA=/path npm start`,
  );
}

const lockFile = (dataDir: string): string => join(dataDir, 'instance.json');

function read(file: string): Holder | undefined {
  try {
    const holder: Holder = JSON.parse(readFileSync(file, 'utf8'));
    return holder;
  } catch {
    return undefined;
  }
}
