import { asLine, isLine } from '../../../kernel/plain-text';

/** What a provider says of a user. */
export interface ProviderClaims {
  readonly subject: string;
  readonly email: string | undefined;
  /** What `email_verified` says; undefined if it says nothing, as with Entra ID. */
  readonly isEmailVerified: boolean | undefined;
  readonly name: string | null;
  readonly groups: readonly string[];
  readonly sid: string | undefined;
  /** For the owners of the organization: never a token. */
  readonly shown: ShownClaims;
}

export type ShownClaims = Readonly<Record<string, string>>;

/** Some providers send it as a text. */
const VERIFIED = new Map<unknown, boolean>([
  [true, true],
  ['true', true],
  [false, false],
  ['false', false],
]);

const MAX_SHOWN = 40;
const MAX_VALUE = 300;
const MAX_GROUPS = 1_000;
/** Claims of the protocol, which are of no use to people. */
const HIDDEN = new Set(['nonce', 'at_hash', 'c_hash', 's_hash', 'iat', 'exp', 'nbf', 'auth_time']);

export const domainOfAddress = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase();

const textOf = (value: unknown, max: number): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= max ? value : undefined;

const lineOf = (value: unknown, max: number): string | undefined => {
  const text = textOf(value, max);
  return text !== undefined && isLine(text) ? text : undefined;
};

const shortened = (text: string): string => asLine(text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)} …` : text);

export const shownClaims = (claims: Readonly<Record<string, unknown>>): ShownClaims =>
  Object.fromEntries(
    Object.entries(claims)
      .filter(([name]) => !HIDDEN.has(name))
      .slice(0, MAX_SHOWN)
      .map(([name, value]) => [shortened(name), shortened(typeof value === 'string' ? value : JSON.stringify(value))]),
  );

export function claimsOf(claims: Readonly<Record<string, unknown>>, groupsClaim: string): ProviderClaims {
  const groups = claims[groupsClaim];
  return {
    subject: String(claims['sub']),
    email: lineOf(claims['email'], 254),
    isEmailVerified: VERIFIED.get(claims['email_verified']),
    name: textOf(claims['name'], 200)?.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ') ?? null,
    groups: [groups]
      .flat()
      .slice(0, MAX_GROUPS)
      .filter((group): group is string => typeof group === 'string' && isLine(group)),
    sid: lineOf(claims['sid'], 255),
    shown: shownClaims(claims),
  };
}
