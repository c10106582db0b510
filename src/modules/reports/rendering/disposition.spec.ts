import { findingStatusVocabulary, isDismissed, isOpen } from '../../findings';
import { isFixProved, provesFix } from '../domain/proved-fix';
import { dispositionOf } from './disposition';
import { move, retest } from './testing/snapshot-of';

it('agrees with the findings module on the disposition of every status', () => {
  const expected = findingStatusVocabulary.map(({ number }) => {
    return isOpen(number) ? 'open' : isDismissed(number) ? 'set_aside' : 'resolved';
  });
  expect(findingStatusVocabulary.map(({ number }) => dispositionOf(number))).toEqual(expected);
});

it('agrees with the findings module on the statuses after which an earlier retest proves no fix', () => {
  const open = findingStatusVocabulary.filter(({ number }) => isOpen(number)).map(({ name }) => name);
  const fixed = retest(3, { status: 'finished', result: 'fixed' });
  const isProvedAfter = (hours: number, to: string): boolean =>
    isFixProved({ history: [move(1, null, 'open'), move(hours, null, to)], retests: [fixed] });
  const { name: resolved } = findingStatusVocabulary.find(({ number }) => dispositionOf(number) === 'resolved') ?? {
    name: '',
  };
  expect(isProvedAfter(5, resolved)).toBe(true);
  expect(open.filter((to) => isProvedAfter(5, to))).toEqual([]);
});

it('dates the proof by the response of a retest, not by its end', () => {
  const [answered, seenAgain, ended] = [1, 2, 3].map((hour) => new Date(Date.UTC(2026, 0, 1, hour)));
  const fixed = { result: 'fixed', judgedBy: null, finished: ended ?? null };
  expect(provesFix({ ...fixed, decided: answered }, seenAgain)).toBe(false);
  expect(provesFix({ ...fixed, decided: null }, seenAgain)).toBe(true);
  const open = move(2, null, 'open');
  const shown = (decided: string): boolean => isFixProved({ history: [open], retests: [retest(3, { decided })] });
  expect([shown(move(1, null, 'open').at), shown(move(2.5, null, 'open').at)]).toEqual([false, true]);
});
