import { NO_SUCH_SLUG, parseSlug } from './path-slug';

describe('parseSlug', () => {
  it.each(['a', '0', 'spring-test-4k2p9x', 'a-b-c', 'x'.repeat(63)])('accepts %j', (text) => {
    expect(parseSlug(text)).toBe(text);
  });

  it.each([undefined, '', '-', 'a-', '-a', 'a--b', 'A', 'a b', 'a_b', 'ä', 'a\n', 'a\0', '../a', 'x'.repeat(64)])(
    'returns a slug that no record has for %j',
    (text) => {
      expect(parseSlug(text)).toBe(NO_SUCH_SLUG);
    },
  );
});
