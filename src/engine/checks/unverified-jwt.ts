import { accessCheck } from '../access/access-check';

export const unverifiedJwt = accessCheck(
  {
    id: 'unverified-jwt',
    title: 'JWT accepted without a valid signature',
    severity: 'high',
    cwe: [347],
    owasp: ['A02:2021', 'A04:2025'],
    wstg: ['WSTG-SESS-01'],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N',
    references: ['https://www.rfc-editor.org/rfc/rfc8725#section-3.1'],
    decides: `Requests the page that proves the session of an account with its JWT alone, with the same JWT forged, with random ones and without any. The forged ones have an added claim, and the signature of the old claims, no signature, or \`alg\` none. It is vulnerable if a forged one opens the page twice and a random one does not. It is fixed when all of them are refused like a random one, between requests with the genuine JWT.`,
    text: `The application reads the claims of a token without checking who signed it. Anyone can write a token that names another
user or another role.

**How to fix it.** Verify the signature with one algorithm that the application names itself, such as \`jwt.verify(token, key,
{ algorithms: ['RS256'] })\`, and never with the one that the token states. Functions that only decode a token check nothing. Then
change the signing key if it may be known.`,
  },
  'presents forged tokens of an account',
);
