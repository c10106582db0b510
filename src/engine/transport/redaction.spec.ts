import { excerpt, legible, redact } from './redaction';

describe('redact', () => {
  it.each([
    ['Authorization: Basic dXNlcjpodXNo', 'Authorization: [redacted]'],
    ['Proxy-Authorization: Bearer hush.hush', 'Proxy-Authorization: [redacted]'],
    ['Cookie: a=hush; b=hush', 'Cookie: [redacted]'],
    ['X-Api-Key: hush', 'X-Api-Key: [redacted]'],
    ['Set-Cookie: sid=hush; Path=/; HttpOnly', 'Set-Cookie: sid=[redacted]; Path=/; HttpOnly'],
    ['GET /?token=hush&a=1', 'GET /?token=[redacted]&a=1'],
    ['DB_PASSWORD="hush"', 'DB_PASSWORD="[redacted]"'],
    ['{"client_secret": "hush"}', '{"client_secret": "[redacted]"}'],
    ["'api-key' => 'hush'", "'api-key' => '[redacted]'"],
    ['postgres://user:hush@db/x', 'postgres://user:[redacted]@db/x'],
    ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig', 'jwt [redacted]'],
    ['AKIAIOSFODNN7EXAMPLE', '[redacted]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nhush\n-----END RSA PRIVATE KEY-----', '[redacted]'],
    ['-----BEGIN PRIVATE KEY-----\nhush, cut', '[redacted]'],
  ])('%s', (text, clean) => expect(redact(text)).toBe(clean));

  it.each(['ref: refs/heads/main', 'Strict-Transport-Security: max-age=1', 'Server: nginx/1.24.0', 'author: someone'])(
    'leaves %s alone',
    (text) => expect(redact(text)).toBe(text),
  );

  it.each(['eyJ', 'a-', 'token', 'x:/', '-----BEGIN PRIVATE KEY-----'])('is quick on many times %s', (piece) => {
    const before = Date.now();
    redact(piece.repeat(16_384 / piece.length));
    expect(Date.now() - before).toBeLessThan(500);
  });
});

describe('excerpt', () => {
  it('is bounded, and a secret on the edge of what is kept is no secret spilled', () => {
    const text = `${'x'.repeat(8_180)} password=${'h'.repeat(100)}`;
    expect(excerpt(Buffer.from(text)).length).toBeLessThan(8_200);
    expect(excerpt(Buffer.from(text))).not.toContain('hh');
    expect(excerpt(Buffer.alloc(5_000_000, 97))).toHaveLength(8_196);
  });

  it('shows bytes that are no text by their numbers', () => {
    expect(legible(Buffer.from([0x16, 0x03, 0x41, 0x0a, 0xff]))).toBe('\\x16\\x03A\n\u00ff');
    expect(legible(Buffer.from('grüß\n'))).toBe('grüß\n');
  });
});
