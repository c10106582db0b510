import { randomBytes } from 'node:crypto';
import { recordIn } from '../json-record';
import { harmlessLike, randomWord } from '../twins';

/** A signed JWT at the end of a field. Encrypted ones have five parts, and are none. */
export interface Token {
  /** What stands in front of it. */
  readonly before: string;
  readonly header: string;
  readonly claims: string;
  readonly signature: string;
}

const decoded = (part: string): string => Buffer.from(part, 'base64url').toString();
const encoded = (text: string): string => Buffer.from(text).toString('base64url');

const LAST_THREE_PARTS = /^(.{0,40}?)([\w-]{4,2000})\.([\w-]{2,6000})\.([\w-]{8,2000})$/;
const STATED_ALGORITHM = /("alg"\s{0,4}:\s{0,4})"[^"]{1,20}"/;

export function tokenInField(value: string): Token | null {
  const [, before = '', header = '', claims = '', signature = ''] = LAST_THREE_PARTS.exec(value) ?? [];
  const { alg } = recordIn(decoded(header)) ?? {};
  if (typeof alg !== 'string' || /^none$/i.test(alg) || recordIn(decoded(claims)) === null) return null;
  return { before, header, claims, signature };
}

/** With what stands in front of it. */
export const textOf = ({ before, header, claims, signature }: Token): string =>
  `${before}${header}.${claims}.${signature}`;

/** With a claim that means nothing. The others stay as they are written, because numbers may be long. */
const withClaim = (claims: string): string => {
  const text = decoded(claims).trimEnd().slice(0, -1).trimEnd();
  return encoded(`${text}${text.endsWith('{') ? '' : ','}"assay":"${randomWord()}"}`);
};

const SPELLINGS = ['none', 'None', 'NONE'];

/** Only a server that checks no signature takes these. The first one has a signature, so that such a server takes any. */
export function forgedFrom(token: Token): { readonly variant: string; readonly token: Token }[] {
  const changed = { ...token, claims: withClaim(token.claims) };
  const none = (name: string): string => encoded(decoded(token.header).replace(STATED_ALGORITHM, `$1"${name}"`));
  return [
    { variant: 'a JWT with an added claim and the signature of the token without it', token: changed },
    { variant: 'a JWT with an added claim and no signature', token: { ...changed, signature: '' } },
    ...SPELLINGS.map((name) => ({
      variant: `a JWT with alg ${name}, an added claim and no signature`,
      token: { ...changed, header: none(name), signature: '' },
    })),
  ];
}

export const withRandomSignature = (token: Token): Token => ({
  ...token,
  signature: randomBytes(token.signature.length).toString('base64url').slice(0, token.signature.length),
});

/** Of the same length, with claims that are no JSON. */
export const randomLike = (token: Token): Token => ({
  ...token,
  header: harmlessLike(token.header),
  claims: harmlessLike(token.claims),
});
