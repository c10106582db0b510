import { type FindingStatus, findingStatusVocabulary, isSetAside, stands } from '../../../findings';
import { standingOf } from './standing';

it('says of each status what the findings themselves say', () => {
  const standings = findingStatusVocabulary.map(({ number }) => {
    const status = number as FindingStatus;
    return stands(status) ? 'stands' : isSetAside(status) ? 'aside' : 'resolved';
  });
  expect(findingStatusVocabulary.map(({ number }) => standingOf(number))).toEqual(standings);
});
