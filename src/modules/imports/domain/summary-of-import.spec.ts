import { WAITING } from '../../findings/domain/verification';
import { summaryOfImport } from './summary-of-import';

const one = {
  ignoredColumns: [] as string[],
  dryRun: false,
  rowsNew: 377,
  rowsSeenAgain: 800,
  rowsReopened: 7,
  rowsUnchanged: 20,
  rowsRefused: 6,
  rowsContradicting: 0,
  retestsStarted: 0,
  verification: { confirmed: 61, refuted: 148, inconclusive: 3 },
  untested: [],
  untestedReasons: [],
};

it.each([
  [
    'more rows were refused than are stored',
    { rowsRefused: 1_250 },
    '1,204 imported, 377 new; 212 tested: 61 confirmed, 148 refuted, 3 inconclusive; 1,250 refused, 250 of them not listed.',
  ],
  [
    'columns of a table were not read',
    { ignoredColumns: ['A', 'B', 'C', 'D', 'E', 'F', 'G'] },
    '1,204 imported, 377 new; 212 tested: 61 confirmed, 148 refuted, 3 inconclusive; 7 columns not read: A, B, C, D, E and 2 more.',
  ],
  ['all tests have ended', {}, '1,204 imported, 377 new; 212 tested: 61 confirmed, 148 refuted, 3 inconclusive.'],
  [
    'tests are under way',
    { verification: { confirmed: 1, untested: 3 }, untestedReasons: [{ reason: WAITING, findings: 3 }] },
    '1,204 imported, 377 new; 1 tested: 1 confirmed, 0 refuted, 0 inconclusive; 3 wait for their tests.',
  ],
  [
    'nothing could be tested',
    { verification: {}, untested: [{ reason: 'No check is bound to the finding.', findings: 980 }] },
    '1,204 imported, 377 new; 0 tested; 980 not tested.',
  ],
  [
    'rows contradict resolved findings',
    { rowsContradicting: 22, retestsStarted: 20 },
    '1,204 imported, 377 new; 212 tested: 61 confirmed, 148 refuted, 3 inconclusive; 22 rows contradict resolved findings, 20 retests started.',
  ],
  ['it is a dry run', { dryRun: true, verification: {} }, '1,204 would be imported, 377 new.'],
])('the summary of an import is a sentence: %s', (_name, changes, sentence) => {
  expect(summaryOfImport({ ...one, ...changes }).sentence).toBe(sentence);
});

it('the same reason is counted once, the most frequent first, and what waits is not among them', () => {
  const { waiting, untested } = summaryOfImport({
    ...one,
    untested: [
      { reason: 'rare', findings: 1 },
      { reason: 'both', findings: 4 },
    ],
    untestedReasons: [
      { reason: WAITING, findings: 1 },
      { reason: 'both', findings: 2 },
    ],
  });
  expect(waiting).toBe(1);
  expect(untested).toEqual([
    { reason: 'both', findings: 6 },
    { reason: 'rare', findings: 1 },
  ]);
});
