import type { Mutant } from '../mutant';

const spec = 'test/e2e/contradictions.spec.ts';
const file = 'src/modules/retests/contradiction-retests.service.ts';

/** Guards of the retests that start because an import or a job contradicts a fix. */
export const contradictions: readonly Mutant[] = [
  {
    name: 'contradictions: an import starts any number of retests',
    file,
    search: 'const MAX_STARTED = 20;',
    replace: 'const MAX_STARTED = 21;',
    spec,
    test: 'starts at most 20 retests of an import',
  },
  {
    name: 'contradictions: the work of a job runs twice',
    file,
    search: 'if (!(await source.saveStarted(findingId))) return undefined;',
    replace: '',
    spec,
    test: 'starts one retest, which decides, and starts none when its work runs again',
  },
  {
    name: 'contradictions: a person gets a retest without a check to judge',
    file,
    search: 'return testOfFinding(await this.findings.getWithCheck(scope, findingId)) !== null;',
    replace: 'return true;',
    spec,
    test: 'is listed alone where no check can test the finding',
  },
  {
    name: 'contradictions: a refused retest fails the import',
    file,
    search: "if (!(error instanceof DomainError) || error.kind === 'unavailable') throw thrown;",
    replace: 'throw error;',
    spec,
    test: 'is listed alone where the launch rule refuses the target',
  },
  {
    name: 'contradictions: a dry run starts retests',
    file: 'src/modules/imports/work/import-contradictions.ts',
    search: 'if (dryRun) return;',
    replace: '',
    spec,
    test: 'starts nothing in a dry run',
  },
  {
    name: 'contradictions: a job starts none',
    file: 'src/modules/jobs/job-ends.ts',
    search: 'await this.contradictions.request(job);',
    replace: '',
    spec,
    test: 'starts one retest, which decides, and starts none when its work runs again',
  },
  {
    name: 'contradictions: an import starts none',
    file: 'src/modules/imports/work/import-tests.ts',
    search: 'await this.contradictions.retest(begun, signal);',
    replace: '',
    spec,
    test: 'starts one retest, which leaves the finding resolved where it is fixed',
  },
  {
    name: 'contradictions: what a later test has answered is tested again',
    file: 'src/modules/findings/domain/observation.ts',
    search: 'status === FINDING_STATUS.resolved && !isAnswered,',
    replace: 'status === FINDING_STATUS.resolved,',
    spec,
    test: 'starts nothing after a test proved the fix, which has answered it',
  },
  {
    name: 'contradictions: what a test has shown since is tested again',
    file,
    search: 'if (!(await this.repository.isResolvedWithoutTestSince(findingId, seenAt))) return false;',
    replace: '',
    spec,
    test: 'starts one retest, which decides, and starts none when its work runs again',
  },
  {
    name: 'contradictions: one that arrives while a retest of the finding runs starts none',
    file,
    search: "if (state === 'postponed') postponed.push(one.findingId);",
    replace: '',
    spec,
    test: 'starts one retest after the unfinished retest of the finding has ended without an answer',
  },
  {
    name: 'contradictions: a retest that waits for another one is refused in the audit log',
    file,
    search: "else if (await this.repository.hasUnfinishedOfLocked(findingId)) state = 'postponed';",
    replace: '',
    spec,
    test: 'starts one retest after the unfinished retest of the finding has ended without an answer',
  },
  {
    name: 'contradictions: a job asks for none while others of it are being started',
    file,
    search: 'const reference = [work.record, randomUUID(), ...findingIds].join(',
    replace: 'const reference = [work.record, ...findingIds].join(',
    spec,
    test: 'starts one retest, which decides, and starts none when its work runs again',
  },
];
