import { SecretValues } from './secret-values';

const SECRET = `p&ss "wörd"/1<x>'`;

describe('secret values', () => {
  it.each<[string, string]>([
    ['as they are', SECRET],
    ['in a URL', encodeURIComponent(SECRET)],
    ['in a form', new URLSearchParams({ a: SECRET }).toString().slice(2)],
    ['in JSON', JSON.stringify(SECRET).slice(1, -1)],
    ['in JSON with escaped slashes', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
    ['in HTML', `p&amp;ss &quot;wörd&quot;/1&lt;x&gt;&#39;`],
    ['in HTML with numbers', `p&#38;ss &#34;wörd&#34;/1&#60;x&#62;&#39;`],
    ['in base64', Buffer.from(SECRET).toString('base64')],
    ['in base64 behind one byte', Buffer.from(`:${SECRET}`).toString('base64')],
    ['in base64 behind two bytes', Buffer.from(`a:${SECRET}`).toString('base64')],
    ['as bytes of another character set', Buffer.from(SECRET).toString('latin1')],
  ])('are found %s', (_what, spelled) => {
    const secrets = new SecretValues([SECRET]);
    expect(secrets.has(`before ${spelled} after`)).toBe(true);
    // At its ends, a base64 text shares characters with its neighbors.
    expect(secrets.redact(`before ${spelled} after`)).not.toContain(spelled.slice(4, -4));
  });

  it('of a longer one, no part is left', () => {
    expect(new SecretValues(['abc', 'abcdef']).redact('x abcdef abc y')).toBe('x [redacted] [redacted] y');
  });

  it('of one that the end of a cut text begins, no part is left', () => {
    const secret = 'Zx8kQ1'.repeat(10);
    const text = `${secret} and ${secret.slice(0, 40)}`;
    expect(new SecretValues([secret]).redact(text, true)).toBe('[redacted] and ');
    expect(new SecretValues([secret]).redact('nothing of it', true)).toBe('nothing of it');
  });

  it('are removed from all texts of plain JSON, and from names', () => {
    const secrets = new SecretValues(['hush']);
    secrets.add('token');
    expect(secrets.redactAll({ a: ['hush', 1, null], hush: { b: 'a token' } })).toEqual({
      a: ['[redacted]', 1, null],
      '[redacted]': { b: 'a [redacted]' },
    });
  });

  it('forgets the oldest that were issued, and none that was typed', () => {
    const secrets = new SecretValues(['typed-secret']);
    for (let at = 0; at < 2_100; at += 1) secrets.add(`issued-${at}-x`);
    expect(['typed-secret', 'issued-2099-x', 'issued-0-x'].map((one) => secrets.has(one))).toEqual([true, true, false]);
  });
});
