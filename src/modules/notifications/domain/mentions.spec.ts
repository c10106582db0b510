import { MentionNames } from './mentions';

const members: { userId: number; email: string; name: string | null }[] = [
  { userId: 1, email: 'ana@example.com', name: 'Ana' },
  { userId: 2, email: 'a.silva@example.com', name: 'Ana Silva' },
  { userId: 3, email: 'mara.lindqvist@example.com', name: null },
  { userId: 4, email: 'mara@example.org', name: 'José' },
];

const mentionedIn = (text: string, all: typeof members): number[] => new MentionNames(all).mentionedIn(text);

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

describe('the cost of a comment', () => {
  /** Names with the same lengths, whatever their number. */
  const membersLike = (count: number): typeof members =>
    Array.from({ length: count }, (_, at) => {
      const number = String(at).padStart(5, '0');
      return { userId: at + 1, email: `person${number}@example.com`, name: `Person ${number}` };
    });
  const texts = [
    '@'.repeat(2_000),
    '@p'.repeat(1_000),
    ' @person 0000'.repeat(150),
    ' @person00000@example.co'.repeat(80),
  ];

  it.each(texts)('does not grow with the number of members: %#', (text) => {
    const lookups = (count: number): number => {
      const names = new MentionNames(membersLike(count));
      const ways = [jest.spyOn(Map.prototype, 'get'), jest.spyOn(String.prototype, 'startsWith')];
      names.mentionedIn(text);
      const calls = ways.map(({ mock }) => mock.calls.length);
      for (const way of ways) way.mockRestore();
      return calls.reduce((sum, one) => sum + one, 0);
    };
    expect(lookups(1_000)).toBe(lookups(8));
    // Three names of a member, for a hundred places.
    expect(lookups(1_000)).toBeLessThanOrEqual(300);
  });

  it('does not grow with the number of members who have the same name', () => {
    const same = membersLike(1_000).map((member) => ({ ...member, name: 'Ana' }));
    const names = new MentionNames(same);
    const added = jest.spyOn(Set.prototype, 'add');
    expect(names.mentionedIn('@ana '.repeat(400))).toHaveLength(20);
    expect(added.mock.calls.length).toBeLessThanOrEqual(20);
    added.mockRestore();
    const one = new MentionNames([...same, { userId: 0, email: 'xi@example.com', name: 'Xi' }]);
    expect(one.mentionedIn('@Xi @Ana')).toHaveLength(20);
  });
});
