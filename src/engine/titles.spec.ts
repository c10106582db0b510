import type { Check } from './check';
import { checkById } from './checks';
import { checkFormerlyTitled, FORMER_TITLES, titleAt } from './titles';

function check(id: string): Check {
  const known = checkById(id);
  if (known === null) throw new Error(`There is no check ${id}.`);
  return known;
}

describe('the title of a finding', () => {
  it.each([
    ['sql-injection', 'https://shop.example.com/items?q', 'SQL injection in the parameter q'],
    ['path-traversal', 'https://shop.example.com/files/a.txt#segment=2', 'Path traversal in segment 2 of the path'],
    [
      'command-injection',
      'https://shop.example.com/#header=User-Agent',
      'OS command injection in the header User-Agent',
    ],
    ['sql-injection', 'https://shop.example.com/graphql#graphql=id', 'SQL injection in the GraphQL variable id'],
    ['reflected-input', 'https://shop.example.com/items?%2A', 'Reflected XSS'],
    ['missing-frame-protection', 'https://shop.example.com/', 'Clickjacking: the page can be framed by any site'],
    ['open-redis', 'tcp://192.0.2.1:6379', 'A Redis server answers without a password'],
  ])('of %s at %s is the term of the trade with the place', (id, location, title) => {
    expect(titleAt(check(id), location)).toBe(title);
  });

  it('names at most 80 characters of a parameter', () => {
    const title = titleAt(check('open-redirect'), `https://shop.example.com/?${'x'.repeat(1_000)}`);
    expect(title).toBe(`Open redirect in the parameter ${'x'.repeat(80)}`);
  });

  it('of a check in YAML is that of its author', () => {
    const own = { ...check('open-redirect'), title: 'Redirects', template: 'id: own' };
    expect(titleAt(own, 'https://shop.example.com/?next')).toBe('Redirects');
  });
});

describe('former titles', () => {
  it('are those of checks that have another one now', () => {
    for (const [id, title] of Object.entries(FORMER_TITLES)) expect(checkById(id)?.title).not.toBe(title);
    expect(Object.keys(FORMER_TITLES).filter((id) => checkById(id) === null)).toEqual([]);
  });

  it('name their check by two words or more, and none if several have had them', () => {
    expect(checkFormerlyTitled(' the DATABASE executes ')).toBe('sql-injection');
    expect(['executes', 'a session cookie', 'no such words', ''].map(checkFormerlyTitled)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});
