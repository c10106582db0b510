import type { Mutant } from '../mutant';

const idempotency = 'src/platform/idempotency/idempotency.ts';
const idempotencyRepository = 'src/platform/idempotency/idempotency.repository.ts';
const interceptor = 'src/platform/http/operation.interceptor.ts';
const unitOfWork = 'src/platform/audit/unit-of-work.ts';
const retestRun = 'src/modules/retests/work/retest-run.ts';
const idempotencySpec = 'test/e2e/idempotency.spec.ts';

/** Idempotency, audit entries, transactions, and results that are no longer valid. */
export const records: readonly Mutant[] = [
  {
    name: 'idempotency: a key may be used with another body',
    file: idempotency,
    search: 'if (!known.requestHash.equals(hash)) {',
    replace: 'if (false) {',
    spec: idempotencySpec,
    test: 'is refused with a different body',
  },
  {
    name: 'idempotency: a stored response of a deleted organization is returned',
    file: idempotency,
    search: `if (known.isHidden) throw notFound('Organization');`,
    replace: '',
    spec: idempotencySpec,
    test: 'does not return a stored response of a deleted organization',
  },
  {
    name: 'idempotency: a request that is in progress starts again',
    file: idempotencyRepository,
    search: 'WHERE known.status IS NULL AND known.created <',
    replace: 'WHERE known.status IS NULL OR known.created <',
    spec: idempotencySpec,
    test: 'is in progress until it is answered, and can be sent again after its process was lost',
  },
  {
    name: 'idempotency: the response is not stored',
    file: interceptor,
    search: 'if (key !== undefined)\n        await this.idempotency.store(',
    replace: 'if (false)\n        await this.idempotency.store(',
    spec: idempotencySpec,
    test: 'has its effect once, and returns the same response again',
  },
  {
    name: 'idempotency: a refused request stays in progress',
    file: interceptor,
    search: 'if (key !== undefined) await this.idempotency.release(key).catch(() => undefined);',
    replace: '',
    spec: idempotencySpec,
    test: 'may be sent again, corrected, after a refusal',
  },
  {
    name: 'idempotency: a secret is stored for a retry',
    file: interceptor,
    search: 'for (const secret of success.secrets ?? []) visible[secret] = null;',
    replace: '',
    spec: idempotencySpec,
    test: 'returns a secret only in the first response, not to a retry',
  },
  {
    name: 'audit: a change leaves no entry',
    file: unitOfWork,
    search: `return this.trail.statementFor(entry);`,
    replace: `return undefined;`,
    spec: 'test/e2e/transactions.spec.ts',
    test: 'commits its change and its audit entry together',
  },
  {
    name: 'audit: an operation runs outside of its unit of work',
    file: interceptor,
    search: 'if (operation.audit === undefined) return await work();',
    replace: 'return await work();',
    spec: 'test/e2e/audit.spec.ts',
    test: 'has exactly one entry for a change',
  },
  {
    name: 'audit: a refusal leaves no entry',
    file: unitOfWork,
    search: '      await this.recordRefusal(draft, scope, error);\n      throw error;',
    replace: '      throw error;',
    spec: 'test/e2e/audit.spec.ts',
    test: 'has one entry for every refused change, at whatever stage it was refused',
  },
  {
    name: 'audit: an entry is written in another transaction than its change',
    file: unitOfWork,
    search: `return this.trail.statementFor(entry);`,
    replace: `const late = this.trail.statementFor(entry);
          this.afterCommit(() => void this.database.change(late));
          return undefined;`,
    spec: 'test/e2e/audit.spec.ts',
    test: 'rolls the change back, and fails a refusal, when the audit entry cannot be written',
  },
  {
    name: 'transactions: a COMMIT that is answered with ROLLBACK counts as a commit',
    file: 'src/platform/database/transaction.ts',
    search: `if (command !== 'COMMIT') throw`,
    replace: `if (command === 'COMMITTED') throw`,
    spec: 'test/e2e/transactions.spec.ts',
    test: 'whose COMMIT is answered with ROLLBACK',
  },
  {
    name: 'retests: the result of a retest that has ended is stored',
    file: retestRun,
    search: 'if (retest !== undefined && !isRetestOver(retest.status)) await write(finding, retest);',
    replace: 'if (retest !== undefined) await write(finding, retest);',
    spec: 'test/e2e/retest-claims.spec.ts',
    test: 'has its late result dropped when the retest has already ended',
  },
  {
    name: 'retests: the result counts although the asset has changed',
    file: retestRun,
    search:
      'if (outcome.isBeaconLost !== true && finding.assetId !== claim.assetId) return this.fail(retest, ASSET_GONE);',
    replace: '',
    spec: 'test/e2e/retest-claims.spec.ts',
    test: 'has its result dropped when its asset is deleted with its beacon',
  },
  {
    name: 'retests: the result counts although the check was replaced',
    file: retestRun,
    search:
      'if (!isDeepStrictEqual(finding.checkDefinition, retest.checkDefinition)) return this.fail(retest, CHECK_REPLACED);',
    replace: '',
    spec: 'test/e2e/retest-checks.spec.ts',
    test: 'with a corrected check during a retest with the earlier one drops that result',
  },
  {
    name: 'retests: a false positive is retested',
    file: 'src/modules/retests/retests.service.ts',
    search: 'if (!isTestable(status)) throw notRetestable();',
    replace: '',
    spec: 'test/e2e/retests.spec.ts',
    test: 'is refused for a finding in status',
  },
  {
    name: 'retests: a manual verdict is accepted for a retest that a worker runs',
    file: 'src/modules/retests/domain/retest-status.ts',
    search: `if (status !== 'pending') throw conflict(`,
    replace: `if (status === 'canceled') throw conflict(`,
    spec: 'src/modules/retests/domain/retest-status.spec.ts',
    test: 'allows a verdict by hand only while it is pending',
  },
  {
    name: 'jobs: the result of a job that has ended is stored',
    file: 'src/modules/jobs/job-results.ts',
    search: `if (job === undefined || isJobOver(job.status)) return;
    // Before the findings`,
    replace: `if (job === undefined) return;
    // Before the findings`,
    spec: 'test/e2e/job-endings.spec.ts',
    test: 'the result of a worker is dropped when its job has already ended',
  },
  {
    name: 'jobs: a job that was canceled is a success',
    file: 'src/modules/jobs/domain/job-success.ts',
    search: `if (status !== 'FINISHED') {`,
    replace: `if (status === 'ERROR') {`,
    spec: 'src/modules/jobs/domain/job-success.spec.ts',
    test: 'is false when the job ended in',
  },
  {
    name: 'jobs: a failed job is answered with 200',
    file: 'src/modules/jobs/domain/job-success.ts',
    search: 'if (fail && outcome.success === false)',
    replace: 'if (fail && outcome.success === null)',
    spec: 'src/modules/jobs/domain/job-success.spec.ts',
    test: 'refuses a failed job when the request asks for that',
  },
  {
    name: 'jobs: earlier findings do not count',
    file: 'src/modules/jobs/domain/job-success.ts',
    search: 'counts(finding) && finding.unconfirmed && !finding.confirmedFixed',
    replace: 'counts(finding) && finding.unconfirmed && finding.confirmedFixed',
    spec: 'src/modules/jobs/domain/job-success.spec.ts',
    test: 'counts an earlier finding that is',
  },
  {
    name: 'a pipeline gets the report of a job that ended in ERROR',
    file: 'src/modules/reports/job-reports.service.ts',
    search: `if (status === 'ERROR') throw jobIncomplete(error);`,
    replace: '',
    spec: 'test/e2e/jobs.spec.ts',
    test: 'is not available while the job is unfinished, and after it was canceled or failed',
  },
  {
    name: 'a report that is generated at once has no limit',
    file: 'src/modules/reports/job-reports.service.ts',
    search: 'await this.snapshots.read(order, LIMITS)',
    replace: 'await this.snapshots.read(order)',
    spec: 'test/e2e/jobs.spec.ts',
    test: 'is refused with the way to a larger report when it has too many findings',
  },
  {
    name: 'a report of a canceled job is generated',
    file: 'src/modules/reports/report-subjects.ts',
    search: `if (status === 'CANCELED') throw jobCanceled();`,
    replace: '',
    spec: 'test/e2e/reports.spec.ts',
    test: 'refuses a report of a job that is',
  },
  {
    name: 'idempotency: a failed request removes the response that another process has stored',
    file: idempotencyRepository,
    search: 'AND key = ${key} AND status IS NULL`);',
    replace: 'AND key = ${key}`);',
    spec: idempotencySpec,
    test: 'keeps the response that another process has stored, also when this one fails after it',
  },
];
