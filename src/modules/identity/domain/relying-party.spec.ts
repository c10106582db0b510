import { relyingPartyOf } from './relying-party';

it.each([
  ['https://assay.example.com', 'assay.example.com'],
  ['https://assay.example.com:8443', 'assay.example.com'],
  ['http://localhost:3001', 'localhost'],
])('a portal at %s has passkeys for %s', (portal, id) => {
  expect(relyingPartyOf(portal)).toEqual({ id, origin: portal });
});

it.each(['http://assay.example.com', 'http://127.0.0.1:3001', 'https://192.0.2.1', 'https://[2001:db8::1]:8443'])(
  'a portal at %s has none, and the error says why',
  (portal) => {
    expect(() => relyingPartyOf(portal)).toThrow(
      `Passkeys need https and a host name, and this portal is at ${portal}`,
    );
  },
);
