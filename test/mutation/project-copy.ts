import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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

/** A copy of the project for inserting faults, so that the project itself never changes. */
export class ProjectCopy {
  private readonly folder = mkdtempSync(join(tmpdir(), 'assay-mutation-'));
  private jest: ChildProcess | undefined;

  constructor(project: string) {
    cpSync(project, this.folder, { recursive: true, filter: (path) => !notCopied.has(basename(path)) });
    symlinkSync(join(project, 'node_modules'), join(this.folder, 'node_modules'), 'dir');
  }

  /** Runs an action while the fault is in the copy. */
  async withFault<T>(mutant: Mutant, action: () => Promise<T>): Promise<T> {
    const path = join(this.folder, mutant.file);
    const source = readFileSync(path, 'utf8');
    const found = occurrences(source, mutant.search);
    if (found !== 1)
      throw new Error(`the search text of the mutant occurs ${found} times in ${mutant.file}: update the mutant`);
    writeFileSync(path, mutated(mutant, source));
    try {
      return await action();
    } finally {
      writeFileSync(path, source);
    }
  }

  /** Runs the tests of these specs whose titles contain one of these parts. */
  async test(specs: readonly string[], titles: readonly string[]): Promise<TestResult[]> {
    const report = join(this.folder, 'jest-report.json');
    rmSync(report, { force: true });
    // Some of the specs are long ones, which the configuration leaves out.
    const all = '--testPathIgnorePatterns=/node_modules/';
    const options = [all, '--json', `--outputFile=${report}`, '--silent', '--forceExit'];
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

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
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
