import { execFileSync, spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chownSync, readFileSync, statSync } from 'node:fs';
import { StartRefused } from './start-refused';

interface Identity {
  uid: number;
  gid: number;
}

/** The operating system user that runs PostgreSQL, which refuses to run as root. */
export class ProcessUser {
  private constructor(
    /** A prefix of every command line. */
    private readonly prefix: readonly string[],
    /** Set if the programs run as another user, who must own the data. */
    private readonly identity?: Identity,
  ) {}

  /** Chooses the first method that works on this machine. */
  static choose(): ProcessUser {
    const methods = process.getuid?.() === 0 ? methodsForRoot() : methodsForOrdinaryUsers;
    const candidates = methods.map((method) => new ProcessUser(method.prefix, method.identity));
    // On Windows `true` does not exist, so the last method is used.
    return candidates.find((candidate) => candidate.canRun('true')) ?? candidates.at(-1) ?? new ProcessUser([]);
  }

  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const [file, ...rest] = this.commandLine(command, args);
    return spawn(file, rest, { ...options, ...this.identity });
  }

  /** The output of a short command; undefined if it fails. */
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

  /** Whether root runs the programs as another user, who needs access to the folders. */
  get isOtherUser(): boolean {
    return this.identity !== undefined;
  }

  /** Gives a new file or empty folder to that user. */
  changeOwner(path: string): void {
    if (this.identity) chownSync(path, this.identity.uid, this.identity.gid);
  }

  /** Refuses data of another user, even as root, because that user could not start it afterwards. */
  refuseOtherOwner(folder: string): void {
    const self = process.getuid?.();
    const owner = statSync(folder).uid;
    if (self === undefined || owner === self || (self === 0 && owner === nobodyIdentity()?.uid)) return;
    throw new StartRefused(
      `The data in ${folder} belongs to another user (uid ${owner}). ` +
        `Start as that user, or use another folder: ASSAY_DATA=/path npm start`,
    );
  }

  /** Changes the owner of existing data if root now uses another method. */
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

/** Ends the database when its parent process exits for any reason. */
const endWithParent = ['setpriv', '--pdeathsig=INT'];

const methodsForOrdinaryUsers: readonly LaunchMethod[] = [{ prefix: endWithParent }, { prefix: [] }];

/** A user namespace needs no change of owners and can access root's folders; the user `nobody` cannot. */
function methodsForRoot(): readonly LaunchMethod[] {
  const identity = nobodyIdentity();
  if (!identity) {
    throw new StartRefused(
      'PostgreSQL does not run as root, and the user `nobody` does not exist. Start as an ordinary user, ' +
        'or use your own PostgreSQL: DATABASE_URL=postgres://user:password@host/database npm start',
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

/** From /etc/passwd, because initdb refuses a user without an entry there. */
function nobodyIdentity(): Identity | undefined {
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
