import { findingStatusVocabulary, isDismissed, isOpen } from '../../findings';
import { dispositionOf } from './disposition';

it('agrees with the findings module on the disposition of every status', () => {
  const expected = findingStatusVocabulary.map(({ number }) => {
    return isOpen(number) ? 'open' : isDismissed(number) ? 'set_aside' : 'resolved';
  });
  expect(findingStatusVocabulary.map(({ number }) => dispositionOf(number))).toEqual(expected);
});
