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

/** One living instance a data folder. What a killed one left behind is taken over. */
export class InstanceLock {
  private isHeld = true;

  private constructor(
    private readonly file: string,
    private readonly holder: Holder,
    /** The folder of the socket of an instance that was killed: nobody else will remove it. */
    readonly abandonedRunDir: string | undefined,
  ) {}

  static take(dataDir: string): InstanceLock {
    const file = lockFile(dataDir);
    const previous = refuseRunningInstance(dataDir);
    const holder = { pid: process.pid, started: processStart(process.pid) ?? 'unknown' };
    try {
      rmSync(file, { force: true });
      // `wx`: of two that start at the same moment, one loses here.
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

  /** Once: a second time it might be somebody else's. */
  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    rmSync(this.file, { force: true });
  }
}

/** Throws where somebody is at work on the data; answers what a killed instance left. */
export function refuseRunningInstance(dataDir: string): Holder | undefined {
  const holder = read(lockFile(dataDir));
  if (holder === undefined || processStart(holder.pid) !== holder.started) return holder;
  throw new StartRefused(
    `Another Assay (process ${holder.pid}) is running on the data in ${dataDir}. ` +
      `Stop that one, or name another folder: ASSAY_DATA=/path npm start`,
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
