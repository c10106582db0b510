import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { migrateTemplate, startServer } from '../support/global-setup';
import { distKey } from '../support/programs';
import { type Mutant, mutated, occurrences } from './mutant';

/** Not copied, because no spec reads it or because it is linked. */
const notCopied = new Set(['node_modules', '.git', 'dist', 'coverage', '.assay', '.bench', '.env']);

const runTimeoutMs = 10 * 60_000;

export interface TestResult {
  readonly spec: string;
  readonly title: string;
  readonly status: string;
}

/** The fields of Jest's JSON report that are used here. */
interface JestReport {
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const isCompiled = (file: string): boolean => /^src\/.*\.tsx?$/.test(file);

/** Its tests need a server and a template database of their own. */
const isMigration = (file: string): boolean =>
  file.startsWith('migrations/') || file === 'src/platform/database/migrate.ts';

/**
 * A copy of the project for inserting faults, so that the project itself never changes. All its tests use one PostgreSQL
 * server, and its programs are built again only for a fault in `src`.
 */
export class ProjectCopy {
  private readonly folder = mkdtempSync(join(tmpdir(), 'assay-mutation-'));
  private readonly programs = join(this.folder, 'dist');
  private jest: ChildProcess | undefined;
  private stopServer: (() => Promise<void>) | undefined;

  private constructor(project: string) {
    cpSync(project, this.folder, { recursive: true, filter: (path) => !notCopied.has(basename(path)) });
    symlinkSync(join(project, 'node_modules'), join(this.folder, 'node_modules'), 'dir');
  }

  static async create(project: string): Promise<ProjectCopy> {
    const copy = new ProjectCopy(project);
    try {
      copy.build();
      process.env[distKey] = copy.programs;
      const { server, stop } = await startServer();
      copy.stopServer = stop;
      await migrateTemplate(server);
      return copy;
    } catch (error) {
      await copy.remove();
      throw error;
    }
  }

  /** Runs an action while the fault is in the copy. */
  async withFault<T>(mutant: Mutant, action: () => Promise<T>): Promise<T> {
    const path = join(this.folder, mutant.file);
    const source = readFileSync(path, 'utf8');
    const found = occurrences(source, mutant.search);
    if (found !== 1)
      throw new Error(`the search text of the mutant occurs ${found} times in ${mutant.file}: update the mutant`);
    const write = (text: string): void => {
      writeFileSync(path, text);
      if (isCompiled(mutant.file)) this.build();
    };
    try {
      write(mutated(mutant, source));
      return await action();
    } finally {
      write(source);
    }
  }

  /** Runs the tests of these specs whose titles contain one of these parts, after a fault in this file. */
  async test(specs: readonly string[], titles: readonly string[], fault = ''): Promise<TestResult[]> {
    const report = join(this.folder, 'jest-report.json');
    rmSync(report, { force: true });
    const configuration = isMigration(fault)
      ? '--testPathIgnorePatterns=/node_modules/'
      : '--config=jest.mutation.config.js';
    const options = [configuration, '--json', `--outputFile=${report}`, '--silent', '--forceExit'];
    const parameters = [...options, '-t', oneOf(titles), ...specs];
    // A process group of its own, so that a signal also ends its database and child processes.
    const jest = spawn(process.execPath, [join('node_modules', 'jest', 'bin', 'jest.js'), ...parameters], {
      cwd: this.folder,
      stdio: 'ignore',
      detached: true,
    });
    this.jest = jest;
    const timeout = setTimeout(() => this.interrupt(), runTimeoutMs);
    await once(jest, 'exit').finally(() => clearTimeout(timeout));
    this.jest = undefined;
    if (!existsSync(report)) throw new Error(`Jest ended without a result: ${jest.signalCode ?? jest.exitCode}`);
    return this.resultsOf(JSON.parse(readFileSync(report, 'utf8')) as JestReport);
  }

  /** Stops the running tests. */
  interrupt(): void {
    if (this.jest?.pid !== undefined) process.kill(-this.jest.pid, 'SIGINT');
  }

  async remove(): Promise<void> {
    await this.stopServer?.();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private build(): void {
    const options = ['bin/build.mjs', '--out-dir', this.programs];
    execFileSync(process.execPath, options, { cwd: this.folder, stdio: 'inherit' });
  }

  private resultsOf({ numRuntimeErrorTestSuites, testResults }: JestReport): TestResult[] {
    if (numRuntimeErrorTestSuites > 0) {
      const broken = testResults.find(({ assertionResults }) => assertionResults.length === 0);
      throw new Error(`a spec could not be run: ${broken?.message ?? 'no reason given'}`);
    }
    return testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, status }) => ({
        spec: name.slice(name.lastIndexOf(this.folder) + this.folder.length + 1),
        title: fullName,
        status,
      })),
    );
  }
}

const oneOf = (titles: readonly string[]): string =>
  titles.map((title) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
