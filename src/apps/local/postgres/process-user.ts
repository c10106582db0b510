import { execFileSync, spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chownSync, readFileSync, statSync } from 'node:fs';
import { StartRefused } from './start-refused';

interface Identity {
  uid: number;
  gid: number;
}

/** The user as whom PostgreSQL's programs run: it refuses to run as root. */
export class ProcessUser {
  private constructor(
    /** Words in front of every command. */
    private readonly prefix: readonly string[],
    /** Where the programs run as somebody else, who must own the data. */
    private readonly identity?: Identity,
  ) {}

  /** The first way that works on this machine. */
  static choose(): ProcessUser {
    const methods = process.getuid?.() === 0 ? methodsForRoot() : methodsForOrdinaryUsers;
    const candidates = methods.map((method) => new ProcessUser(method.prefix, method.identity));
    // Where not even `true` is found (Windows), the plainest way is the only one.
    return candidates.find((candidate) => candidate.canRun('true')) ?? candidates.at(-1) ?? new ProcessUser([]);
  }

  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const [file, ...rest] = this.commandLine(command, args);
    return spawn(file, rest, { ...options, ...this.identity });
  }

  /** What a short command says; undefined when it fails. */
  output(command: string, ...args: string[]): string | undefined {
    const [file, ...rest] = this.commandLine(command, args);
    const result = spawnSync(file, rest, { encoding: 'utf8', cwd: '/', stdio: 'pipe', ...this.identity });
    return result.status === 0 ? result.stdout : undefined;
  }

  canRun(command: string, ...args: string[]): boolean {
    return this.output(command, ...args) !== undefined;
  }

  canEnter(folder: string): boolean {
    return process.getuid?.() !== 0 || this.canRun('sh', '-c', 'cd "$1"', 'sh', folder);
  }

  /** Root may see its programs run as another user, to whom a closed folder must be opened. */
  get isOtherUser(): boolean {
    return this.identity !== undefined;
  }

  /** Hands over a file or an empty folder that was just made. */
  changeOwner(path: string): void {
    if (this.identity) chownSync(path, this.identity.uid, this.identity.gid);
  }

  /** Data of another person stay theirs, also for root: afterwards they could not start any more. */
  refuseOtherOwner(folder: string): void {
    const self = process.getuid?.();
    const owner = statSync(folder).uid;
    if (self === undefined || owner === self || (self === 0 && owner === nobodyIdentity()?.uid)) return;
    throw new StartRefused(
      `The data in ${folder} belong to another user (number ${owner}). ` +
        `Start as that user, or name another folder: ASSAY_DATA=/path npm start`,
    );
  }

  /** What was made in one of root's ways is handed over when another way is chosen. */
  changeOwnerRecursively(folder: string): void {
    const self = process.getuid?.();
    const wanted = this.identity ?? { uid: self, gid: process.getgid?.() };
    if (self !== 0 || statSync(folder).uid === wanted.uid) return;
    execFileSync('chown', ['-R', `${wanted.uid}:${wanted.gid}`, folder]);
  }

  private commandLine(command: string, args: readonly string[]): [string, ...string[]] {
    const [first = command, ...others] = [...this.prefix, command, ...args];
    return [first, ...others];
  }
}

interface LaunchMethod {
  prefix: readonly string[];
  identity?: Identity;
}

/** Ends the database with its parent, however that one ends. */
const endWithParent = ['setpriv', '--pdeathsig=INT'];

const methodsForOrdinaryUsers: readonly LaunchMethod[] = [{ prefix: endWithParent }, { prefix: [] }];

/** A user namespace needs no change of owners and enters every folder of root's; the user `nobody` does neither. */
function methodsForRoot(): readonly LaunchMethod[] {
  const identity = nobodyIdentity();
  if (!identity) {
    throw new StartRefused(
      'PostgreSQL does not run as root, and there is no user `nobody` to run it instead. Start as an ordinary user, ' +
        'or name a PostgreSQL of your own: DATABASE_URL=postgres://user:password@host/database npm start',
    );
  }
  const namespace = ['unshare', '--user', `--map-user=${identity.uid}`, `--map-group=${identity.gid}`];
  return [
    { prefix: [...namespace, ...endWithParent] },
    { prefix: namespace },
    { prefix: endWithParent, identity },
    { prefix: [], identity },
  ];
}

/** Looked up, for initdb refuses a user without an entry here. */
function nobodyIdentity(): Identity | undefined {
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
