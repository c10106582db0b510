import { SEVERITIES } from '../../../kernel/severity';
import { priorityOf, priorityVocabulary } from './priority';

describe('priorityOf', () => {
  it.each([
    [null, [5, 5, 4, 3, 2, 1, 1]],
    [3, [5, 5, 4, 3, 2, 1, 1]],
    [2, [5, 5, 4, 3, 2, 1, 1]],
    [1, [4, 4, 3, 2, 1, 1, 1]],
  ])('on tier %s is, from none to cosmic, %j', (tier, expected) => {
    expect(SEVERITIES.map((severity) => priorityOf(severity, tier))).toEqual(expected);
  });
});

it('lists the severities of each priority', () => {
  expect(priorityVocabulary).toContainEqual({ number: 1, severities: ['critical', 'cosmic'] });
  expect(priorityVocabulary.flatMap(({ severities }) => severities)).toHaveLength(SEVERITIES.length);
});
