import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const src = join(__dirname, '../../src');

/** Statements that can make a decision which needs a second approval, and what each writer guarantees. */
const WRITERS: Readonly<Record<string, { readonly writes: RegExp; readonly files: Readonly<Record<string, string>> }>> =
  {
    'the status of a finding': {
      writes:
        /UPDATE findings\b[^`]*?\bSET\b[^`]*?(?<![_.])status = \$|repository\(FindingRow\)|insertedRows\(FindingRow/s,
      files: {
        'modules/findings/changes/data/findings.repository.ts': 'only FindingStatusWriter, which asks for the approval',
        'modules/findings/scans/data/merged-findings.repository.ts':
          'a separated finding keeps its own status, or is open',
        'modules/findings/scans/data/scanned-findings.repository.ts':
          'new ones are open; one that is seen again is open, and resolved again when its import is undone',
      },
    },
    'a merge': {
      writes: /SET merged_into = \$/,
      files: {
        'modules/findings/scans/data/merged-findings.repository.ts': 'FindingMergesService asks, or the service merges',
      },
    },
    'an accepted check': {
      writes: /repository\(AcceptedCheck(?:OnMany)?\)|INTO accepted_checks/,
      files: {
        'modules/assets/data/accepted-checks.repository.ts': 'AcceptedChecksService asks for the approval',
        'modules/assets/data/accepted-checks-on-many.repository.ts':
          'AcceptedChecksOnManyService asks for the approval',
      },
    },
    'a baseline': {
      writes: /UPDATE finding_baselines|INTO finding_baselines|repository\(FindingBaseline\)/,
      files: {
        'modules/retests/data/finding-baselines.repository.ts': 'BaselinesService asks; tests store what they saw',
      },
    },
    'that refusals count as fixed': {
      writes: /SET refusals_count_as_fixed/,
      files: { 'modules/organizations/data/organizations.repository.ts': 'RefusalSetting asks for the approval' },
    },
    'that a second approval is required': {
      writes: /SET second_approval/,
      files: {
        'modules/organizations/data/organizations.repository.ts': 'SecondApprovalSetting asks for the approval',
        'apps/cli/end-second-approval.ts': 'the operator, with an entry in the audit log',
      },
    },
  };

/** The calls that ask, each before its writer. */
const CALLS: Readonly<Record<string, number>> = {
  'modules/approvals/second-approval-setting.service.ts': 1,
  'modules/assets/accepted-checks.service.ts': 1,
  'modules/assets/accepted-on-many.service.ts': 1,
  'modules/assets/asset-rules.ts': 1,
  'modules/findings/changes/finding-status-writer.ts': 1,
  'modules/findings/scans/finding-merges.service.ts': 1,
  'modules/retests/baselines.service.ts': 2,
  'modules/retests/refusal-setting.service.ts': 1,
  'modules/retests/retest-ending.ts': 1,
};

const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('/testing/'))
  .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }));

const writersOf = (writes: RegExp, all = sources): string[] =>
  all
    .filter(({ text }) => writes.test(text))
    .map(({ file }) => file)
    .toSorted();

it.each(Object.entries(WRITERS))('%s is written by these files only', (_what, { writes, files }) => {
  expect(writersOf(writes)).toEqual(Object.keys(files).toSorted());
});

it('a further writer of a status is found', () => {
  const planted = { file: 'new.ts', text: 'sql`UPDATE findings f SET title = $1, status = ${status} WHERE f.id = 1`' };
  expect(writersOf(WRITERS['the status of a finding']?.writes ?? /^$/, [planted])).toEqual(['new.ts']);
});

it('only FindingStatusWriter saves a status that a person has chosen', () => {
  const callers = sources.filter(({ text }) => text.includes('.saveStatus(changed'));
  expect(callers.map(({ file }) => file)).toEqual(['modules/findings/changes/finding-status-writer.ts']);
});

it('these services ask for the approval', () => {
  const calls = sources.flatMap(({ file, text }) => {
    const count = text.split('this.approval.require(').length - 1;
    return count === 0 ? [] : [[file, count] as const];
  });
  expect(Object.fromEntries(calls)).toEqual(CALLS);
});
