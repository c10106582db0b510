import { decodedEntities } from '../entities';
import type { Page } from '../page';
import { withoutTags } from '../response-similarity';
import type { SecretValues } from '../transport/secret-values';
import type { SessionProof } from './account';
import { forbiddenSignedIn } from './ending-words';
import type { ProposedProof } from './sign-in-report';

const SEARCHED_CHARACTERS = 300_000;
const MOST_TEXTS = 2_000;
const MOST_PROPOSALS = 5;

/** The visits of one page: two in the session, two without it. */
export interface Visits {
  readonly url: string;
  readonly in: readonly Page[];
  readonly out: readonly Page[];
}

/** Texts between tags, and short texts of JSON, as they are in the answer. */
function textsOf({ text, headers }: Page): Set<string> {
  const start = text.slice(0, SEARCHED_CHARACTERS);
  const isJson = /json/i.test(headers.get('content-type') ?? '');
  const found = isJson
    ? start.matchAll(/"[\w-]{1,40}"\s{0,4}:\s{0,4}(?:"[^"\\]{1,60}"|\d{1,20}|true|false)/g)
    : start.matchAll(/>([^<>]{3,60})</g);
  const texts = [...found].slice(0, MOST_TEXTS).map(([all, inner]) => (inner ?? all).trim());
  return new Set(texts.filter((one) => one.length >= 3 && /\p{L}/u.test(one)));
}

const inAll = (pages: readonly Page[]): string[] => {
  const [first = new Set<string>(), ...others] = pages.map(textsOf);
  return [...first].filter((one) => others.every((other) => other.has(one)));
};

const isIn = ({ text }: Page, part: string): boolean => text.slice(0, SEARCHED_CHARACTERS).includes(part);

/** A text that changes by itself proves nothing: dates, counters, tokens. */
const isSteady = (text: string): boolean => (text.match(/\d/g) ?? []).length <= 4;

/** The lower, the better. Only a session offers to sign out; the name of a user may be on public pages too. */
function rankOf(text: string, isOnlyIn: boolean, userName: string): number {
  if (isOnlyIn && forbiddenSignedIn('/', text) !== null) return 0;
  if (isOnlyIn && userName !== '' && text.includes(userName)) return 1;
  return isOnlyIn ? 2 : 3;
}

function proposalsOf(
  { url, in: inside, out }: Visits,
  secrets: SecretValues,
  userName: string,
): (ProposedProof & { rank: number })[] {
  const side = (
    isOnly: 'in' | 'out',
    here: readonly Page[],
    there: readonly Page[],
  ): (ProposedProof & { rank: number })[] =>
    here.every(({ status }) => status === 200)
      ? inAll(here)
          .filter((text) => isSteady(text) && !secrets.has(text) && !there.some((page) => isIn(page, text)))
          .map((text) => {
            const proof: SessionProof = { url, text, isOnly };
            const [where, not] = isOnly === 'in' ? ['with', 'without'] : ['without', 'with'];
            const reason = `"${decodedEntities(withoutTags(text))}" is in ${new URL(url).pathname} ${where} the session (${here.length} of ${here.length} visits), and not ${not} it (0 of ${there.length})`;
            return { proof, reason, rank: rankOf(text, isOnly === 'in', userName) };
          })
      : [];
  // An answer without the text of visitors could be any page, so it proves a session only if the page is served with one.
  const isOpen = inside.every(({ status }) => status === 200);
  return [...side('in', inside, out), ...(isOpen ? side('out', out, inside) : [])];
}

/** The texts that tell two visits with the session from two without, the best first. */
export function proposedProofs(visits: readonly Visits[], secrets: SecretValues, userName: string): ProposedProof[] {
  return visits
    .flatMap((one) => proposalsOf(one, secrets, userName))
    .sort((one, other) => one.rank - other.rank || one.proof.text.length - other.proof.text.length)
    .slice(0, MOST_PROPOSALS)
    .map(({ proof, reason }) => ({ proof, reason }));
}
