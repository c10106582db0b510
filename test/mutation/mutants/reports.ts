import type { Mutant } from '../mutant';

const provedFix = 'src/modules/reports/domain/proved-fix.ts';
const annex = 'src/modules/reports/domain/report-annex.ts';
const annexSpec = 'src/modules/reports/domain/report-annex.spec.ts';
const letter = 'src/modules/reports/rendering/letter.spec.ts';
const provedOnly = 'counts a resolved finding as proved only by its last finished retest';

/** What reports state, and what they must not contain. */
export const reports: readonly Mutant[] = [
  {
    name: 'reports: an annex has resolved findings and leaves open ones out',
    file: annex,
    search: 'isOpen(status) ? 2 : 3',
    replace: '2',
    spec: annexSpec,
    test: 'of a PDF has the most urgent open findings',
  },
  {
    name: 'reports: a PDF has every finding in full',
    file: annex,
    search: '|| all.length <= most',
    replace: '|| all.length > 0',
    spec: annexSpec,
    test: 'of a PDF has the most urgent open findings',
  },
  {
    name: 'reports: findings that a person put first take the places of the most urgent in the summary',
    file: annex,
    search: 'urgent.has(id) ? 0 : named.has(id) ? 1',
    replace: 'urgent.has(id) || named.has(id) ? 0',
    spec: annexSpec,
    test: 'reads only the most urgent findings for a summary without an annex',
  },
  {
    name: 'reports: an annex is read beyond the size of a report',
    file: 'src/modules/reports/snapshot-reader.ts',
    search: 'else if (!budget.hasRoomFor(finding)) return read;',
    replace: '',
    spec: 'test/e2e/report-board.spec.ts',
    test: 'an annex ends at the maximum size of a report',
  },
  {
    name: 'reports: a later comparison knows only what the annex had',
    file: 'src/modules/reports/domain/report-snapshot.ts',
    search: 'findings: counted,',
    replace: 'findings: [],',
    spec: 'test/e2e/report-board.spec.ts',
    test: 'a PDF counts all of 3,100 findings',
  },
  {
    name: 'report: a retest that ended late proves a fix before its answer',
    file: 'src/modules/reports/domain/proved-fix.ts',
    search: 'last?.decided ?? last?.finished',
    replace: 'last?.finished',
    spec: 'src/modules/reports/rendering/disposition.spec.ts',
    test: 'dates the proof by the response',
  },
  {
    name: 'reports: any retest that was fixed proves a fix, also an outdated one',
    file: provedFix,
    search: "const last = retests.findLast(({ status }) => status === 'finished');",
    replace: "const last = retests.findLast(({ result }) => result === 'fixed');",
    spec: letter,
    test: provedOnly,
  },
  {
    name: 'reports: a retest proves the fix of a finding that was open since',
    file: provedFix,
    search: ' &&\n    answered > lastOpen',
    replace: '',
    spec: letter,
    test: provedOnly,
  },
  {
    name: 'reports: the verdict of a person proves a fix',
    file: provedFix,
    search: '  last.judgedBy === null &&\n',
    replace: '',
    spec: letter,
    test: provedOnly,
  },
  {
    name: 'reports: VEX takes a person named Assay for a test',
    file: 'src/modules/reports/rendering/vex/vex-statements.ts',
    search: "?.actor_type === 'system'",
    replace: "?.actor === 'Assay'",
    spec: 'src/modules/reports/rendering/vex/vex-renderer.spec.ts',
    test: 'states "under_investigation" without a test that shows the fix',
  },
  {
    name: 'reports: VEX states a fix that an outdated retest showed',
    file: 'src/modules/reports/rendering/vex/vex-statements.ts',
    search: '  isFixProved(finding);',
    replace: "  finding.retests.findLast(({ status }) => status === 'finished')?.result === 'fixed';",
    spec: 'src/modules/reports/rendering/vex/vex-renderer.spec.ts',
    test: 'states "under_investigation" without a test that shows the fix',
  },
  {
    name: 'reports: the query of a job that failed is in the report of its organization',
    file: 'src/modules/jobs/domain/coverage-summary.ts',
    search: 'pageOfUrl(url), error',
    replace: 'url, error',
    spec: 'test/e2e/report-snapshot.spec.ts',
    test: 'has no query of the URL of a job',
  },
  {
    name: 'reports: the query of a job is in its report',
    file: 'src/modules/reports/subject-reader.ts',
    search: 'pageOfUrl(job.url)',
    replace: 'job.url',
    spec: 'test/e2e/report-snapshot.spec.ts',
    test: 'has no query of the URL of a job',
  },
  {
    name: 'reports: a draft takes retests without a result for the last word',
    file: 'src/modules/retests/data/retests.repository.ts',
    search: "mine.status = 'finished' OR NOT ${finishedOnly}::boolean",
    replace: 'true',
    spec: 'test/e2e/report-snapshot.spec.ts',
    test: 'a draft counts a finding as proved only by its last finished retest',
  },
  {
    name: 'reports: a draft does not ask when a finding was open',
    file: 'src/modules/findings/details/data/finding-details.repository.ts',
    search: 't.status <= 4 AND NOT t.is_comment\n        ORDER BY t.id DESC',
    replace: 't.status <= 4 AND NOT t.is_comment\n        ORDER BY t.id',
    spec: 'test/e2e/report-snapshot.spec.ts',
    test: 'a draft counts a finding as proved only by its last finished retest',
  },
  {
    name: 'reports: a semicolon in a CSV file may begin a cell with a formula',
    file: 'src/kernel/spreadsheet-text.ts',
    search: '=> withoutInnerFormulas(text) },',
    replace: '=> text },',
    spec: 'src/modules/reports/rendering/csv/csv-renderer.spec.ts',
    test: 'writes no formula where a semicolon or a line end begins a cell',
  },
];
