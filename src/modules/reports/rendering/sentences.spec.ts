import { byUrgency } from '../domain/snapshot-totals';
import { after, finding, scopeAsset, snapshotOf } from './testing/snapshot-of';
import { findingsSentence, limitationsOf, mostUrgentOf, scopeSentence } from './sentences';

const of = (...statuses: number[]) =>
  snapshotOf({
    findings: statuses.map((status, index) =>
      finding(index + 1, { title: 'x', status, severity: index === 0 ? 'high' : 'low' }),
    ),
  });

it.each([
  [of(), 'No finding was seen in the period of this report.'],
  [of(1), '1 finding, none resolved yet. The most severe open findings: 1 high.'],
  [of(1, 2), '2 findings, none resolved yet. The most severe open findings: 1 high and 1 low.'],
  [of(5, 1), 'Of 2 findings, 1 is open and 1 is resolved. The most severe open findings: 1 low.'],
  [of(5), 'Of 1 finding, 1 is resolved. None is open.'],
  [
    of(4, 5, 5, 6, 10),
    'Of 5 findings, 1 is open, 2 are resolved and 2 are set aside by a decision. The most severe open findings: 1 high.',
  ],
])('summarizes open, resolved and set-aside findings in a sentence: %#', (snapshot, sentence) => {
  expect(findingsSentence(snapshot)).toBe(sentence);
});

const BELIEFS = { confirmed: 'proved', refuted: 'refuted', inconclusive: 'claimed', untested: 'claimed' } as const;

const critical = (...results: (keyof typeof BELIEFS)[]) =>
  snapshotOf({
    findings: results.map((result, index) => {
      const tests = { result, reason: 'x', tested_at: null };
      return finding(index, {
        title: 'x',
        severity: 'critical',
        verification: tests,
        belief: { value: BELIEFS[result], since: after(1) },
      });
    }),
  });

it.each([
  [critical('confirmed'), ''],
  [critical('untested', 'confirmed', 'inconclusive'), ' Of the critical ones, 1 is proved, and 2 more are claimed.'],
  [critical('inconclusive', 'untested', 'refuted'), ' Of the critical ones, none is proved, and 2 are claimed.'],
  [critical('untested'), ' No test of this service has examined the critical ones: 1 is claimed, and none is proved.'],
])('says how many critical findings are proved, and whether none was ever tested: %#', (snapshot, sentence) => {
  expect(findingsSentence(snapshot)).toMatch(new RegExp(`critical\\.${sentence}$`));
});

it('begins with what is proved within a priority, and ends with what is refuted', () => {
  const results = ['refuted', 'untested', 'confirmed', 'inconclusive'] as const;
  expect(mostUrgentOf(critical(...results)).map(({ id }) => id)).toEqual([2, 1, 3, 0]);
  const less = { ...finding(9, { title: 'x' }), priority: 2 };
  expect([...critical(...results).findings, less].toSorted(byUrgency).at(0)).toBe(less);
});

const tested = scopeAsset(1, 'a.example', { last_tested: after(1) });
const incomplete = scopeAsset(2, 'b.example', {
  last_tested: after(1),
  not_tested: [{ check: 'x', location: 'y', reason: 'z' }],
});
const untested = scopeAsset(3, 'c.example');
const within = (...in_scope: (typeof tested)[]) => snapshotOf({ scope: { in_scope, out_of_scope: [untested] } });

it.each([
  [within(), 'No asset is named in the scope of this event.'],
  [within(tested), '1 asset in scope, 1 out of scope. All in scope was tested by the service.'],
  [within(untested), '1 asset in scope, 1 out of scope. None in scope was tested by the service.'],
  [
    within(tested, incomplete, untested),
    '3 assets in scope, 1 out of scope. Of those in scope, 2 were tested by the service and 1 was not.',
  ],
])('states how many assets in scope were tested: %#', (snapshot, sentence) => {
  expect(scopeSentence(snapshot)).toBe(sentence);
});

it('lists excluded findings, untested assets and incomplete checks as limitations', () => {
  expect(limitationsOf(within(tested))).toEqual([]);
  expect(limitationsOf({ ...within(incomplete, untested), totals: { ...of().totals, left_out: 1 } })).toEqual([
    '1 finding of this event is not in this report. "Not in this report" names it with the reason.',
    'Of 2 assets in scope, 1 was tested by the service and 1 was not. The absence of findings says nothing about assets that were not tested.',
    '1 check could not be completed. The scope names each, with the reason.',
  ]);
});
