import type { Mutant } from '../mutant';

const spec = 'test/e2e/second-looks.spec.ts';
const looks = 'src/modules/retests/second-looks.service.ts';
const run = 'src/modules/retests/work/second-look-run.ts';

/** Guards of the look at a fixed finding some hours later. */
export const secondLooks: readonly Mutant[] = [
  {
    name: 'second look: a new status does not drop it',
    file: 'src/modules/findings/changes/data/finding-history.repository.ts',
    search: 'NOT h.is_comment AND h.changes IS NULL AND h.created >',
    replace: 'h.is_comment AND h.created >',
    spec,
    test: 'is dropped by a new status',
  },
  {
    name: 'second look: a retest that decides does not drop it',
    file: 'src/modules/retests/data/retests.repository.ts',
    search: "AND result IN ('fixed', 'still_vulnerable')`",
    replace: "AND result = 'fixed'`",
    spec,
    test: 'is dropped by a retest that decides',
  },
  {
    name: 'second look: a member drops it by canceling a retest',
    file: 'src/modules/retests/data/retests.repository.ts',
    search: "AND result IN ('fixed', 'still_vulnerable')`",
    replace: '`',
    spec,
    test: 'is dropped neither by a retest that is canceled',
  },
  {
    name: 'second look: what is off is planned',
    file: looks,
    search: 'mergedInto !== null || hours === null ||',
    replace: 'mergedInto !== null ||',
    spec,
    test: 'is off for organizations that existed before the upgrade',
  },
  {
    name: 'second look: events are not asked',
    file: looks,
    search: '|| !(await this.isWantedBy(claim.eventId))',
    replace: '',
    spec,
    test: 'event as its type says, until an admin changes it there',
  },
  {
    name: 'second look: it sends nothing and counts as a result',
    file: run,
    search: 'result: wasTested ? result : null',
    replace: 'result',
    spec,
    test: 'sends nothing while its event is',
  },
  {
    name: 'second look: the weakness does not reopen the finding',
    file: run,
    search: "if (result === 'still_vulnerable') return this.contradict",
    replace: "if (result === 'fixed') return this.contradict",
    spec,
    test: 'reopens the finding when it sees the weakness',
  },
  {
    name: 'second look: an inconclusive one is repeated for ever',
    file: run,
    search: "RESULT_EFFECTS[result].afterSecondLook === 'once_more' && first.secondLookFinished === null",
    replace: "RESULT_EFFECTS[result].afterSecondLook === 'once_more'",
    spec,
    test: 'is tried once more when it cannot decide',
  },
];
