import { keptText, keysOf, metadataOf } from './provider-documents';

const ISSUER = 'https://id.example.com';
const PUBLIC = { kty: 'RSA', kid: 'a', use: 'sig', alg: 'RS256', n: 'x', e: 'AQAB' };

describe('what is kept of the documents of a provider', () => {
  it('is what the protocol uses of its description', () => {
    const used = {
      issuer: ISSUER,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/keys`,
      authorization_response_iss_parameter_supported: true,
      scopes_supported: ['openid', 'offline_access'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
    const more = { claims_supported: ['sub'], x: [[], []], scopes_supported: ['openid', [], 'offline_access', {}] };
    expect(metadataOf({ ...used, ...more, userinfo_endpoint: [`${ISSUER}/me`] })).toEqual(used);
  });

  it('is the public part of its keys for signatures', () => {
    const others = [
      { ...PUBLIC, use: 'enc' },
      { ...PUBLIC, key_ops: ['encrypt'] },
      { ...PUBLIC, d: 'private' },
      { kty: 'oct', k: 'secret' },
      'x',
      null,
    ];
    const keys = [{ ...PUBLIC, x5c: ['certificate'], key_ops: ['verify'] }, ...others, { kty: 'EC', crv: ['P-256'] }];
    expect(keysOf({ keys })).toEqual({ keys: [PUBLIC, { kty: 'EC' }] });
  });

  it.each([[null], [[]], ['x'], [{ keys: 'x' }]])('is nothing of another document: %j', (document) => {
    expect([keysOf(document), Object.values(metadataOf(document)).filter(Boolean)]).toEqual([{ keys: [] }, []]);
  });

  it('is at most 50 keys and 16,384 characters', () => {
    expect(keysOf({ keys: Array.from({ length: 60_000 }, () => ({ kty: 'EC' })) }).keys).toHaveLength(50);
    const longest = { issuer: 'x'.repeat(16_384 - '{"issuer":""}'.length) };
    expect(keptText(longest)).toHaveLength(16_384);
    expect(() => keptText({ issuer: `${longest.issuer}x` })).toThrow('more than 16384 characters');
  });
});
