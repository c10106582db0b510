import { asSentence } from './words';

it.each([
  ['it has no referrer policy', 'It has no referrer policy'],
  ['/.env is public', '/.env is public'],
  ['robots.txt names it', 'robots.txt names it'],
  ['x-powered-by names PHP', 'x-powered-by names PHP'],
  ['The page has no policy', 'The page has no policy'],
])('makes a sentence of "%s" without changing a path or a name', (reason, sentence) => {
  expect(asSentence(reason)).toBe(sentence);
});
