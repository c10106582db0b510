import { asSentence, totalText } from './words';

it('shows the exact number of a list that was counted to its end, and otherwise that there are more', () => {
  expect(totalText({ total: 1 }, 'entry', 'entries')).toBe('1 entry');
  expect(totalText({ total: 1_000, most: 1_000 }, 'finding')).toBe('1,000 findings');
  expect(totalText({ total: 1_001, most: 1_000 }, 'finding')).toBe('More than 1,000 findings');
  expect(totalText({ total: 1_001 }, 'finding')).toBe('1,001 findings');
});

it.each([
  ['it has no referrer policy', 'It has no referrer policy'],
  ['/.env is public', '/.env is public'],
  ['robots.txt names it', 'robots.txt names it'],
  ['x-powered-by names PHP', 'x-powered-by names PHP'],
  ['The page has no policy', 'The page has no policy'],
])('makes a sentence of "%s" without changing a path or a name', (reason, sentence) => {
  expect(asSentence(reason)).toBe(sentence);
});
