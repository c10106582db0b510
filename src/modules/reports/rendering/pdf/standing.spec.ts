import { findingStatusVocabulary, isSetAside, stands } from '../../../findings';
import { standingOf } from './standing';

it('says of each status what the findings themselves say', () => {
  const standings = findingStatusVocabulary.map(({ number }) => {
    return stands(number) ? 'stands' : isSetAside(number) ? 'aside' : 'resolved';
  });
  expect(findingStatusVocabulary.map(({ number }) => standingOf(number))).toEqual(standings);
});
