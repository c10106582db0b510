import { DIMENSIONS, eventCategoryVocabulary, eventTypeVocabulary } from './event-vocabulary';

it('has the words of events, with their numbers', () => {
  expect(eventTypeVocabulary).toEqual([
    { number: 1, name: 'machine' },
    { number: 2, name: 'human' },
  ]);
  expect(eventCategoryVocabulary).toEqual([
    { number: 1, name: 'pentest' },
    { number: 2, name: 'red_team' },
    { number: 3, name: 'continuous' },
  ]);
  expect(DIMENSIONS).toEqual(['virtual', 'physical', 'hybrid']);
});
