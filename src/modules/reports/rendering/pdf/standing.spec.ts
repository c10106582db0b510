import { findingStatusVocabulary, isDismissed, isOpen } from '../../../findings';
import { standingOf } from './standing';

it('says of each status what the findings themselves say', () => {
  const standings = findingStatusVocabulary.map(({ number }) => {
    return isOpen(number) ? 'stands' : isDismissed(number) ? 'aside' : 'resolved';
  });
  expect(findingStatusVocabulary.map(({ number }) => standingOf(number))).toEqual(standings);
});
