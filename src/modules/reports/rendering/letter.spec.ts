import type { SnapshotTransition } from '../domain/snapshot-parts';
import { letterOf } from './letter';
import { finding, move, retest, snapshotOf } from './testing/snapshot-of';

const proofsIn = (parts: Parameters<typeof finding>[1]): string | undefined =>
  letterOf(snapshotOf({ findings: [finding(1, { status: 5, ...parts })] })).facts.find(
    ([label]) => label === 'Proved to be fixed',
  )?.[1];

const found = move(0, null, 'open');
const byHand = (hours: number): SnapshotTransition => move(hours, 'open', 'resolved');
const reopened = (hours: number): SnapshotTransition => move(hours, 'resolved', 'open', 'Assay');

describe('the attestation letter', () => {
  it.each([
    ['the last retest was fixed', [found, byHand(9)], [retest(2, { result: 'still_vulnerable' }), retest(8)], 1],
    [
      'no test has finished since',
      [found, byHand(9)],
      [retest(8), retest(10, { status: 'canceled', result: null })],
      1,
    ],
    [
      'a later retest was still_vulnerable',
      [found, move(2, 'open', 'resolved', 'Assay'), reopened(5), byHand(9)],
      [retest(2), retest(5, { result: 'still_vulnerable' })],
      0,
    ],
    ['a later retest was inconclusive', [found, byHand(9)], [retest(2), retest(5, { result: 'inconclusive' })], 0],
    ['it was open after the retest', [found, byHand(1), reopened(5), byHand(9)], [retest(2)], 0],
    ['a person gave the verdict', [found, byHand(9)], [retest(8, { judged_by: 'Ada Ito' })], 0],
    ['nothing shows when it was open', [byHand(9)], [retest(8)], 0],
  ])('counts a resolved finding as proved only by its last finished retest: %s', (_name, history, retests, proved) => {
    expect(proofsIn({ title: 'x', history, retests })).toBe(`${proved} of 1 fixed, by a signed retest`);
  });
});
