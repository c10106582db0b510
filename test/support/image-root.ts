import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { environmentOf, stageOf, valuesOf } from './dockerfile';

const project = resolve(__dirname, '../..');

/** The files of the project that .dockerignore lets through. */
function contextFiles(): string[] {
  const lines = readFileSync(join(project, '.dockerignore'), 'utf8').split('\n');
  const included = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const excluded = lines.filter((line) => line.startsWith('**/')).map((line) => `:(exclude,glob)${line}`);
  const inFolders = lines.filter((line) => line.startsWith('**/')).map((line) => `:(exclude,glob)${line}/**`);
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--'];
  const listed = execFileSync('git', [...args, ...included, ...excluded, ...inFolders], { cwd: project });
  return listed.toString().split('\0').filter(Boolean);
}

/**
 * Runs the steps of the Dockerfile without a container runtime: those of the build in a folder of this machine, and those of an
 * image in a root that mmdebstrap makes, with the Node of this machine.
 */
export class ImageRoot {
  private readonly folder = mkdtempSync(join(tmpdir(), 'assay-image-'));
  private readonly root = join(this.folder, 'root');
  private build = join(this.folder, 'build');
  private readonly image: ReturnType<typeof stageOf>;

  /** The image of the service, or that of a stage. */
  constructor(stage?: string) {
    this.image = stageOf(stage);
  }

  /** With what another one has built, if it is given. */
  create(other?: ImageRoot): void {
    if (other !== undefined) this.build = other.build;
    else for (const { name, value } of stageOf('build')) this.buildStep(name, value);
    const slim = ['doc', 'man', 'locale', 'info'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
    execFileSync('mmdebstrap', ['--quiet', '--variant=minbase', ...slim, 'bookworm', this.root], { stdio: 'pipe' });
    for (const { name, value } of this.image) this.imageStep(name, value);
  }

  private buildStep(name: string, value: string): void {
    mkdirSync(this.build, { recursive: true });
    if (name === 'COPY')
      for (const file of contextFiles())
        cpSync(join(project, file), join(this.build, file), { preserveTimestamps: true });
    if (name === 'RUN') execFileSync('/bin/sh', ['-ec', value], { cwd: this.build, stdio: 'pipe' });
  }

  private imageStep(name: string, value: string): void {
    if (name === 'RUN') execFileSync('chroot', [this.root, '/bin/sh', '-ec', value], { stdio: 'pipe' });
    if (name !== 'COPY') return;
    const [sources, target] = [value.split(' ').slice(1, -1), value.split(' ').at(-1) ?? ''];
    const to = join(this.root, target.startsWith('/') ? '' : 'app', target);
    for (const source of sources)
      cpSync(
        source === '/usr/local/bin/node' ? process.execPath : source.replace(/^\/build/, this.build),
        target.endsWith('/') ? join(to, basename(source)) : to,
        { recursive: true, verbatimSymlinks: true },
      );
  }

  /** Such as what a container gets as a volume. */
  pathOf(path: string): string {
    return join(this.root, path);
  }

  /** The size of all files, in megabytes. */
  get megabytes(): number {
    return Number(execFileSync('du', ['-sm', this.root]).toString().split('\t')[0]);
  }

  files(...args: string[]): string[] {
    const listed = execFileSync('find', [join(this.root, 'app'), ...args], { maxBuffer: 100_000_000 });
    return listed
      .toString()
      .split('\n')
      .map((path) => path.slice(this.root.length));
  }

  /**
   * Starts a command of the image as its user, without capabilities, in its own processes and mounts: the root is read-only,
   * and /tmp is in memory.
   */
  spawn(command: readonly string[], environment: Record<string, string>): ChildProcess {
    const [user = '', group = ''] = (valuesOf(this.image, 'USER')[0] ?? '').split(':');
    const settings = Object.entries({
      PATH: '/usr/local/bin:/usr/bin:/bin',
      ...environmentOf(this.image),
      ...environment,
    });
    const unshare = ['--mount', '--pid', '--fork', '--kill-child', '/bin/sh', '-ec', RUN, 'sh', this.root, user, group];
    return spawn('unshare', [...unshare, ...settings.map((pair) => pair.join('=')), ...command], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** The command that the image runs by default. */
  get command(): string[] {
    return JSON.parse(valuesOf(this.image, 'CMD')[0] ?? '[]') as string[];
  }

  /** The command of the health check. */
  get healthCheck(): string[] {
    return JSON.parse(/CMD (\[.*\])$/.exec(valuesOf(this.image, 'HEALTHCHECK')[0] ?? '')?.[1] ?? '[]') as string[];
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const RUN = `
root=$1 user=$2 group=$3
shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount -o remount,bind,ro "$root"
mount -t tmpfs -o mode=1777,size=64m tmpfs "$root/tmp"
mount -t proc proc "$root/proc"
exec chroot --userspec="$user:$group" --groups= "$root" /usr/bin/setpriv --no-new-privs /usr/bin/env -i -C /app "$@"
`;
