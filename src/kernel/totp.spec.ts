import { base32, bytesOfBase32, newTotpSecret, otpauthUri, stepAt, stepOfCode, totpCode } from './totp';

const secret = Buffer.from('12345678901234567890');

/** RFC 6238, appendix B, for SHA-1. */
it.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('has the code of RFC 6238 at %i seconds', (seconds, code) => {
  expect(totpCode(secret, stepAt(new Date(seconds * 1_000)), 8)).toBe(code);
});

it('accepts the codes of one step before and after, and no others', () => {
  const now = new Date(1_234_567_890_000);
  const step = stepAt(now);
  for (const drift of [-1, 0, 1]) expect(stepOfCode(secret, totpCode(secret, step + drift), now)).toBe(step + drift);
  for (const drift of [-2, 2]) expect(stepOfCode(secret, totpCode(secret, step + drift), now)).toBeUndefined();
  expect(stepOfCode(secret, '', now)).toBeUndefined();
});

it('writes secrets in base32, as RFC 4648 does', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(base32(newTotpSecret())).toMatch(/^[A-Z2-7]{32}$/);
});

it('reads secrets in base32 as people copy them', () => {
  const bytes = newTotpSecret();
  const text = base32(bytes);
  expect(bytesOfBase32(text)).toEqual(bytes);
  expect(bytesOfBase32(`${text.slice(0, 8).toLowerCase()} ${text.slice(8, 16)}-${text.slice(16)}===`)).toEqual(bytes);
});

it.each(['', '====', 'MZXW6 1', 'ÄÖ'])('reads no secret from "%s"', (text) => {
  expect(bytesOfBase32(text)).toBeNull();
});

it('names the service and the user in the URI for authenticator apps', () => {
  const uri = new URL(otpauthUri(secret, 'a b+c@example.com'));
  expect(decodeURIComponent(uri.pathname)).toBe('/Assay:a b+c@example.com');
  expect(Object.fromEntries(uri.searchParams)).toEqual({ secret: base32(secret), issuer: 'Assay' });
});
