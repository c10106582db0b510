import { displayNameOf } from '../../identity/domain/display-name';
import type { Member } from '../../identity';

type Named = Pick<Member, 'userId' | 'email' | 'name'>;

/** More in one comment are ignored. */
const MAX_MENTIONS = 20;
/** More `@` in one comment are not looked at. */
const MAX_LOOKUPS = 100;

const LETTER = /[\p{L}\p{N}_]/u;

/** The texts that mention members, prepared once for many comments. */
export class MentionNames {
  private readonly byName = new Map<string, number[]>();
  /** Of all names, the longest first. */
  private readonly lengths: readonly number[];

  constructor(members: readonly Named[]) {
    for (const member of members) {
      const names = [displayNameOf(member), member.email, member.email.split('@')[0] ?? ''];
      for (const name of new Set(names.map((one) => one.toLowerCase()))) this.add(name, member.userId);
    }
    this.lengths = [...new Set(Array.from(this.byName.keys(), ({ length }) => length))].toSorted((a, b) => b - a);
  }

  /**
   * The members that a comment mentions: `@` and the name that the portal shows, the e-mail address, or its first part, in any case.
   * The longest text that fits counts, so "@Ana Silva" is not Ana. Several members may have it. The cost depends on the lengths of
   * names, and not on the number of members.
   */
  mentionedIn(text: string): number[] {
    const folded = text.toLowerCase();
    const found = new Set<number>();
    let at = folded.indexOf('@');
    for (let lookups = 0; at !== -1 && lookups < MAX_LOOKUPS; at = folded.indexOf('@', at + 1)) {
      if (at > 0 && LETTER.test(folded.charAt(at - 1))) continue;
      lookups++;
      for (const userId of this.longestAt(folded, at + 1)) found.add(userId);
      if (found.size >= MAX_MENTIONS) break;
    }
    return [...found].slice(0, MAX_MENTIONS);
  }

  private add(name: string, userId: number): void {
    const userIds = this.byName.get(name) ?? [];
    if (name !== '' && userIds.length < MAX_MENTIONS) this.byName.set(name, [...userIds, userId]);
  }

  private longestAt(text: string, start: number): readonly number[] {
    for (const length of this.lengths) {
      if (start + length > text.length) continue;
      const userIds = this.byName.get(text.slice(start, start + length));
      if (userIds !== undefined && endsAt(text, start + length)) return userIds;
    }
    return [];
  }
}

/** A dot ends a sentence, but not the first part of an address: "@ana.silva" is not Ana. */
const endsAt = (text: string, end: number): boolean =>
  !/^(?:[\p{L}\p{N}_]|[.@+-][\p{L}\p{N}])/u.test(text.slice(end, end + 3));
