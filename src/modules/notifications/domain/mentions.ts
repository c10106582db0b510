import { displayNameOf } from '../../identity/domain/display-name';
import type { Member } from '../../identity';

type Named = Pick<Member, 'userId' | 'email' | 'name'>;

/** More in one comment are ignored. */
const MAX_MENTIONS = 20;

const LETTER = /[\p{L}\p{N}_]/u;

/**
 * The members that a comment mentions: `@` and the name that the portal shows, the e-mail address, or its first part, in any case.
 * The longest text that fits counts, so "@Ana Silva" is not Ana. Several members may have it.
 */
export function mentionedIn(text: string, members: readonly Named[]): number[] {
  const folded = text.toLowerCase();
  const found = new Set<number>();
  const byName = namesOf(members);
  for (let at = folded.indexOf('@'); at !== -1; at = folded.indexOf('@', at + 1)) {
    if (at > 0 && LETTER.test(folded.charAt(at - 1))) continue;
    for (const userId of longestAt(folded, at + 1, byName)) found.add(userId);
  }
  return [...found].slice(0, MAX_MENTIONS);
}

function longestAt(text: string, start: number, byName: ReadonlyMap<string, readonly number[]>): readonly number[] {
  const names = [...byName.keys()].filter((name) => text.startsWith(name, start) && endsAt(text, start + name.length));
  const longest = names.reduce((one, other) => (other.length > one.length ? other : one), '');
  return byName.get(longest) ?? [];
}

/** A dot ends a sentence, but not the first part of an address: "@ana.silva" is not Ana. */
const endsAt = (text: string, end: number): boolean => !/^(?:[\p{L}\p{N}_]|[.@+-][\p{L}\p{N}])/u.test(text.slice(end));

function namesOf(members: readonly Named[]): Map<string, number[]> {
  const byName = new Map<string, number[]>();
  for (const member of members) {
    const names = [displayNameOf(member), member.email, member.email.split('@')[0] ?? ''];
    for (const name of new Set(names.map((one) => one.toLowerCase())))
      if (name !== '') byName.set(name, [...(byName.get(name) ?? []), member.userId]);
  }
  return byName;
}
