import type { Mutant } from '../mutant';

const spec = 'test/e2e/time-of-observations.spec.ts';
const rule = 'src/modules/findings/domain/observation.ts';
const unit = 'src/modules/findings/domain/observation.spec.ts';

/** Guards of the moment from which an observation counts. */
export const observedTimes: readonly Mutant[] = [
  {
    name: 'times: a job reopens with what it saw before the fix',
    file: 'src/modules/jobs/job-sightings.ts',
    search: '...(seenAt !== undefined && { seenAt }),',
    replace: '',
    spec,
    test: 'does not reopen the finding when it ends',
  },
  {
    name: 'times: a seen weakness reopens what a later test has proved',
    file: rule,
    search: "if (isOutdated(time, known.fixedAt, false)) return 'fixed';",
    replace: '',
    spec: unit,
    test: 'end with the same status in any order',
  },
  {
    name: 'times: a file without times keeps a finding resolved that a test sees',
    file: rule,
    search: 'known.status !== FINDING_STATUS.resolved && isOutdated(time, known.seenAt, false)',
    replace: 'isOutdated(time, known.seenAt, false)',
    spec: unit,
    test: 'tested before a file without times had it',
  },
  {
    name: 'times: an old fix resolves what was seen since',
    file: rule,
    search: "return isOutdated(time, known.seenAt, true) ? 'seen' : null;",
    replace: 'return null;',
    spec: unit,
    test: 'end with the same status in any order',
  },
  {
    name: 'times: a row without a time reopens a finding',
    file: rule,
    search: 'by === null && isDated ?',
    replace: 'by === null ?',
    spec: unit,
    test: 'without a time changes nothing',
  },
  {
    name: 'times: what was only said to be fixed gets a new term',
    file: rule,
    search: '(statedAt === null || fixedAt >= statedAt)',
    replace: 'true',
    spec: unit,
    test: 'begins again only after a proved fix',
  },
  {
    name: 'times: a wrong clock of the process counts',
    file: 'src/platform/database/database-clock.ts',
    search: 'return new Date(Date.now() - this.differenceMs);',
    replace: 'return new Date(Date.now());',
    spec: 'test/e2e/wrong-clock.spec.ts',
    test: 'is ready and says so, and writes the time of the database',
  },
  {
    name: 'times: the history has no time of the response that resolved a finding',
    file: 'src/modules/findings/changes/finding-status-writer.ts',
    search: 'isRenewed, decided: at });',
    replace: 'isRenewed });',
    spec,
    test: 'reopens the finding',
  },
  {
    name: 'times: the history has no time of the response that reopened a finding',
    file: 'src/modules/findings/scans/finding-writer.ts',
    search: ', { decided: seen.seenAt }',
    replace: '',
    spec,
    test: 'reopens the finding',
  },
  {
    name: 'times: the wrong clock of a worker decides between a job and a retest',
    file: 'src/modules/retests/engine-runtime.ts',
    search: 'now: () => clock.time(),',
    replace: 'now: () => new Date(),',
    spec: 'test/e2e/long-jobs.spec.ts',
    test: 'a retest of one that is an hour behind leaves the fix',
  },
  {
    name: 'times: a gate counts what a later test showed to be fixed',
    file: 'src/modules/jobs/job-outcomes.ts',
    search: 'rows.filter(({ isGone }) => !isGone)',
    replace: 'rows',
    spec,
    test: 'does not reopen the finding when it ends',
  },
];
