import { DomainError } from '../../../kernel/domain-error';
import { recipeOfCheck, recipeOfHttp, testOfFinding } from './recipe';

const template = `
id: debug-page
info: { name: A debug page is open }
http:
  - path: ['{{BaseURL}}/debug']
    matchers: [{ type: word, words: [debug] }]
`;

it('a check of ours is kept by its id, with its place in one spelling', () => {
  const recorded = recipeOfCheck('missing-nosniff', 'HTTPS://WWW.Example.com');
  expect(recorded).toEqual({ checkId: 'missing-nosniff', recipe: { location: 'https://www.example.com/' } });
  const test = testOfFinding(recorded);
  expect(test?.check.id).toBe('missing-nosniff');
  expect(test?.target).toMatchObject({ host: 'www.example.com', port: 443 });
});

it('a written check is kept as it was written', () => {
  const recorded = recipeOfHttp(template, 'http://www.example.com/app');
  expect(recorded).toEqual({
    checkId: 'http:debug-page',
    recipe: { location: 'http://www.example.com/app', http: template },
  });
  expect(testOfFinding(JSON.parse(JSON.stringify(recorded)))?.check.id).toBe('http:debug-page');
});

it.each([
  ['an unknown check', () => recipeOfCheck('nonsense', 'https://www.example.com/')],
  ['a place that is none', () => recipeOfCheck('missing-nosniff', 'www.example.com')],
  ['a key that is not supported', () => recipeOfHttp(`${template}\nflow: http(1)\n`, 'https://www.example.com/')],
])('%s is refused', (_what, record) => {
  expect(record).toThrow(DomainError);
});

it.each([
  { checkId: null, recipe: null },
  { checkId: 'missing-nosniff', recipe: null },
  { checkId: 'a-check-of-another-version', recipe: { location: 'https://www.example.com/' } },
  { checkId: 'missing-nosniff', recipe: { location: 'nowhere' } },
  { checkId: 'http:x', recipe: { location: 'https://www.example.com/', http: 5 } },
])('without a check that can be run there is no test: %j', (recorded) => {
  expect(testOfFinding(recorded)).toBeNull();
});
