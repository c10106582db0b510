import { NO_SUCH_SLUG, parseSlug } from './path-slug';

describe('a slug in a path', () => {
  it.each(['a', '0', 'spring-test-4k2p9x', 'a-b-c', 'x'.repeat(63)])('is %j', (text) => {
    expect(parseSlug(text)).toBe(text);
  });

  it.each([undefined, '', '-', 'a-', '-a', 'a--b', 'A', 'a b', 'a_b', 'ä', 'a\n', 'a\0', '../a', 'x'.repeat(64)])(
    'is none in %j, and reads as nobody’s',
    (text) => {
      expect(parseSlug(text)).toBe(NO_SUCH_SLUG);
    },
  );
});
