import { mentionedIn, MentionNames, withMarksOf } from './mentions';

const members: { userId: number; email: string; name: string | null }[] = [
  { userId: 1, email: 'ana@example.com', name: 'Ana' },
  { userId: 2, email: 'a.silva@example.com', name: 'Ana Silva' },
  { userId: 3, email: 'mara.lindqvist@example.com', name: null },
  { userId: 4, email: 'mara@example.org', name: 'José' },
  { userId: 5, email: 'b@example.org', name: '<b> & Co' },
  { userId: 6, email: 'ibrahim@example.org', name: 'İbrahim' },
];

const marked = (html: string, all: typeof members = members): string => new MentionNames(all).marked(html);
const usersOf = (html: string, all?: typeof members): number[] => mentionedIn(marked(html, all));

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
  ['@&lt;b&gt; &amp; Co', [5]],
  ['İ @İbrahim @Ana', [6, 1]],
  ['ask ana@example.com, or x@ana', []],
  ['@Anabel, @ana-maria and @ana@example.org', []],
  ['@nobody @ @@', []],
  ['@Ana and @José', [1, 4]],
  ['<code>@Ana</code> and <pre><code class="language-x">@Ana\n</code></pre>', []],
  ['<a href="https://example.com/@Ana" rel="x">https://example.com/@Ana</a>', []],
  ['<code>x</code> @Ana <strong>@José</strong>', [1, 4]],
])('%s', (text, expected) => {
  expect(usersOf(text)).toEqual(expected);
});

it('marks the text as it was written', () => {
  expect(marked('<p>İ @ANA, @&lt;b&gt; &amp; Co!</p>')).toBe(
    '<p>İ <mark data-users="1">@ANA</mark>, <mark data-users="5">@&lt;b&gt; &amp; Co</mark>!</p>',
  );
});

it('members with the same name are all mentioned, and the name is not unique', () => {
  const all = [...members, { userId: 9, email: 'ana@example.net', name: 'Anabel' }];
  expect(usersOf('@ana', all)).toEqual([1, 9]);
  const names = new MentionNames(all);
  expect(['Ana', 'Anabel', 'ana@example.net', 'x'].map((name) => names.isUnique(name))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

it('a page shows those who have left as plain names, and the reader apart', () => {
  const html = marked('<p>@Ana @José @Ana Silva</p>');
  expect(withMarksOf(html, new Set([1, 4]), 4)).toBe(
    '<p><mark>@Ana</mark> <mark class="me">@José</mark> @Ana Silva</p>',
  );
});

it('a comment mentions at most twenty members', () => {
  const many = Array.from({ length: 30 }, (_, at) => ({ userId: at + 1, email: `m${at}@example.com`, name: null }));
  const text = many.map(({ email }) => `@${email}`).join(' ');
  expect(usersOf(`${text} @m0@example.com`, many)).toHaveLength(20);
  expect(marked(`<p>${text}</p><p>${text}</p>`, many).match(/<mark /g)).toHaveLength(40);
});

describe('the cost of a comment', () => {
  /** Members whose names all have the same lengths, however many there are. */
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
      const ways = [jest.spyOn(Map.prototype, 'get'), jest.spyOn(Map.prototype, 'has')];
      names.marked(text);
      const calls = ways.map(({ mock }) => mock.calls.length);
      for (const way of ways) way.mockRestore();
      return calls.reduce((sum, one) => sum + one, 0);
    };
    expect(lookups(1_000)).toBe(lookups(8));
    // Per `@`, three names of a member and the users with the longest one; at most a hundred `@` are looked up.
    expect(lookups(1_000)).toBeLessThanOrEqual(400);
  });

  it('does not grow with the number of members who have the same name', () => {
    const same = membersLike(1_000).map((member) => ({ ...member, name: 'Ana' }));
    const names = new MentionNames(same);
    const added = jest.spyOn(Set.prototype, 'add');
    const html = names.marked('@ana '.repeat(400));
    expect(added.mock.calls.length).toBeLessThanOrEqual(20);
    added.mockRestore();
    expect(mentionedIn(html)).toHaveLength(20);
    const one = new MentionNames([...same, { userId: 0, email: 'xi@example.com', name: 'Xi' }]);
    expect(mentionedIn(one.marked('@Xi @Ana'))).toHaveLength(20);
  });
});
