import { byUrgency } from '../domain/snapshot-totals';
import { after, finding, scopeAsset, snapshotOf } from './testing/snapshot-of';
import { boardOf } from './board';
import { limitationsOf, resultSentence, scopeSentence } from './sentences';

const of = (...statuses: number[]) =>
  snapshotOf({
    findings: statuses.map((status, index) =>
      finding(index + 1, { title: 'x', status, severity: index === 0 ? 'high' : 'low' }),
    ),
  });

it.each([
  [of(), 'No finding was seen in the period of this report.'],
  [of(1), '1 of 1 finding is open: 1 high.'],
  [of(1, 2), '2 of 2 findings are open: 1 high and 1 low.'],
  [of(5, 1), '1 of 2 findings is open: 1 low.'],
  [of(5), 'None of 1 finding is open: 1 is resolved.'],
  [of(5, 6, 10), 'None of 3 findings is open: 1 is resolved and 2 are set aside by a decision.'],
  [of(...Array<number>(1_200).fill(1)), '1,200 of 1,200 findings are open: 1 high and 1,199 low.'],
])('states the result in one sentence: %#', (snapshot, sentence) => {
  expect(resultSentence(snapshot)).toBe(sentence);
});

const BELIEFS = { confirmed: 'proved', refuted: 'refuted', inconclusive: 'claimed', untested: 'claimed' } as const;

const critical = (...results: (keyof typeof BELIEFS)[]) =>
  snapshotOf({
    findings: results.map((result, index) => {
      const tests = { result, reason: 'x', tested_at: null };
      return finding(index, {
        title: `Critical ${result}`,
        severity: 'critical',
        verification: tests,
        belief: { value: BELIEFS[result], since: after(1) },
      });
    }),
  });

it.each([
  [critical('confirmed'), '; of the critical ones, 1 is proved'],
  [critical('untested', 'confirmed', 'inconclusive'), '; of the critical ones, 1 is proved and 2 are not'],
  [critical('inconclusive', 'untested', 'refuted'), '; of the critical ones, none is proved'],
  [critical('refuted'), ''],
])('says how many critical findings are proved: %#', (snapshot, clause) => {
  expect(resultSentence(snapshot)).toMatch(new RegExp(`critical${clause}\\.$`));
});

describe('the summary for a board', () => {
  it('begins with what is proved within a priority, ends with what is refuted, and says why', () => {
    const results = ['refuted', 'untested', 'confirmed', 'inconclusive'] as const;
    const { urgent } = boardOf(critical(...results));
    expect(urgent.map(({ id, label, why }) => [id, label, why])).toEqual([
      [2, 'Proved', 'by a check on 2 Nov 2026'],
      [1, 'Claimed', 'x'],
      [3, 'Claimed', 'x'],
      [0, 'Refuted', 'x'],
    ]);
    const less = { ...finding(9, { title: 'x' }), priority: 2 };
    expect([...critical(...results).findings, less].toSorted(byUrgency).at(0)).toBe(less);
  });

  it('has equal findings of a rule as one row, and counts all others', () => {
    const check = 'exposed-git';
    const findings = [
      ...[1, 2, 3].map((id) => finding(id, { title: `Repository ${id}`, check, asset_value: `a-${id % 2}.example` })),
      ...[4, 5].map((id) => finding(id, { title: id === 4 ? 'By hand' : ' by  HAND', severity: 'high' })),
      finding(6, { title: 'Alone' }),
      finding(7, { title: 'Repository 7', check, status: 5 }),
    ];
    const board = boardOf(snapshotOf({ findings }));
    expect(board.groups).toEqual([
      { title: 'By hand', check: null, severity: 'high', findings: 2, assets: 1, proved: 0 },
      { title: 'A Git repository is public', check, severity: 'medium', findings: 3, assets: 2, proved: 0 },
    ]);
    expect(board.others).toBe('1 more open finding of 1 other rule.');
    expect(board.urgent.map(({ id, more }) => [id, more])).toEqual([
      [1, 'and 2 more of this rule'],
      [4, 'and 1 more of this rule'],
      [6, ''],
    ]);
    expect(boardOf(critical('confirmed')).groups).toEqual([]);
  });

  it('names what was never tested', () => {
    const snapshot = { ...critical('untested', 'confirmed'), scope: within(tested, untested).scope };
    const by = { ...snapshot, summary: { ...snapshot.summary, untested: 1_300, without_check: 4 } };
    expect(boardOf(by).untested.slice(1)).toEqual([
      'Not tested: c.example.',
      'No test of this service has examined 1,300 open findings; no check exists for 4 of them.',
    ]);
    const all = { ...by, summary: { ...by.summary, without_check: 1_300 } };
    expect(boardOf(all).untested.at(-1)).toBe(
      'No test of this service has examined 1,300 open findings; no check exists for any of them.',
    );
    expect(snapshot.summary.untested).toBe(1);
  });
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
