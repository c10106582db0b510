import { mentionedIn } from './mentions';

const members = [
  { userId: 1, email: 'ana@example.com', name: 'Ana' },
  { userId: 2, email: 'a.silva@example.com', name: 'Ana Silva' },
  { userId: 3, email: 'mara.lindqvist@example.com', name: null },
  { userId: 4, email: 'mara@example.org', name: 'José' },
];

it.each([
  ['@Ana please look', [1]],
  ['(@ana) and @ANA.', [1]],
  ['@Ana Silva, please', [2]],
  ['@Ana Silvana', [1]],
  ['@a.silva@example.com', [2]],
  ['@a.silva: look', [2]],
  ['@Mara Lindqvist and @mara.lindqvist', [3]],
  ['@mara', [4]],
  ['@josé', [4]],
  ['ask ana@example.com, or x@ana', []],
  ['@Anabel, @ana-maria and @ana@example.org', []],
  ['@nobody @ @@', []],
  ['@Ana and @José', [1, 4]],
])('%s', (text, expected) => {
  expect(mentionedIn(text, members)).toEqual(expected);
});

it('members with the same name are all mentioned', () => {
  expect(mentionedIn('@ana', [...members, { userId: 9, email: 'ana@example.net', name: 'Anabel' }])).toEqual([1, 9]);
});

it('a comment mentions at most twenty members', () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ userId: at + 1, email: `m${at}@example.com`, name: null }));
  expect(mentionedIn(many.map(({ email }) => `@${email}`).join(' '), many)).toHaveLength(20);
});
