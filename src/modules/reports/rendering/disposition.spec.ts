import { findingStatusVocabulary, isDismissed, isOpen } from '../../findings';
import { dispositionOf } from './disposition';

it('gives every status the disposition that the rules of findings give it', () => {
  const expected = findingStatusVocabulary.map(({ number }) => {
    return isOpen(number) ? 'open' : isDismissed(number) ? 'set_aside' : 'resolved';
  });
  expect(findingStatusVocabulary.map(({ number }) => dispositionOf(number))).toEqual(expected);
});
