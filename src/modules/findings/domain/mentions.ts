import { displayNameOf } from '../../identity/domain/display-name';
import type { Member } from '../../identity';

type Named = Pick<Member, 'userId' | 'email' | 'name'>;

/** Further names in one comment are not linked. */
const MAX_MENTIONS = 20;
/** Further `@` in one comment are not looked up. */
const MAX_LOOKUPS = 100;

const LETTER = /[\p{L}\p{N}_]/u;
/** Sanitized HTML has no other `<` and `>`. */
const TAG = /(<[^<>]*>)/;
/** Names inside code and links are not mentions. */
const OPAQUE = /^<(\/?)(?:code|pre|a)[ >]/;
const MARK = /<mark data-users="([\d,]+)">([^<]*)<\/mark>/g;

/** Lower case without changing the length of the text. */
const folded = (text: string): string =>
  text.replaceAll(/\P{ASCII}|[A-Z]+/gu, (part) => {
    const lower = part.toLowerCase();
    return lower.length === part.length ? lower : part;
  });

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** The name as sanitized HTML contains it. */
const keyOf = (name: string): string => folded(name).replaceAll(/[&<>]/g, (character) => ESCAPED[character] ?? '');

/** The texts that mention members, prepared once for a comment. */
export class MentionNames {
  private readonly byName = new Map<string, number[]>();
  /** The lengths of all names, longest first. */
  private readonly lengths: readonly number[];

  constructor(members: readonly Named[]) {
    for (const member of members) {
      const names = [displayNameOf(member), member.email, member.email.split('@')[0] ?? ''];
      for (const name of new Set(names.map(keyOf))) this.add(name, member.userId);
    }
    this.lengths = [...new Set(Array.from(this.byName.keys(), ({ length }) => length))].toSorted((a, b) => b - a);
  }

  /** Whether `@` and the name mention one member alone. */
  isUnique(name: string): boolean {
    return this.byName.get(keyOf(name))?.length === 1;
  }

  /**
   * Marks the members that the sanitized HTML of a comment mentions: `@` and the name that the portal shows, the e-mail address,
   * or the part of it before the @, in any case. The longest text that fits counts, so "@Ana Silva" does not mention Ana. Several
   * members may match. The cost depends on the lengths of names, not on the number of members.
   */
  marked(html: string): string {
    const budget = { lookups: MAX_LOOKUPS, found: new Set<number>() };
    let opaque = 0;
    const parts = html.split(TAG).map((part) => {
      const [, isEnd] = OPAQUE.exec(part) ?? [];
      if (isEnd !== undefined) opaque += isEnd === '' ? 1 : -1;
      return opaque > 0 || part.startsWith('<') ? part : this.markedText(part, budget);
    });
    return parts.join('');
  }

  private markedText(text: string, budget: { lookups: number; readonly found: Set<number> }): string {
    const search = folded(text);
    let shown = '';
    let end = 0;
    for (
      let at = search.indexOf('@');
      at !== -1 && budget.lookups > 0;
      at = search.indexOf('@', Math.max(at + 1, end))
    ) {
      if (at > 0 && LETTER.test(search.charAt(at - 1))) continue;
      budget.lookups--;
      const length = this.lengthAt(search, at + 1);
      const users = (this.byName.get(search.slice(at + 1, at + 1 + length)) ?? []).filter(
        (userId) => budget.found.has(userId) || (budget.found.size < MAX_MENTIONS && budget.found.add(userId)),
      );
      if (users.length === 0) continue;
      shown += `${text.slice(end, at)}<mark data-users="${users.join()}">${text.slice(at, at + 1 + length)}</mark>`;
      end = at + 1 + length;
    }
    return shown + text.slice(end);
  }

  private add(name: string, userId: number): void {
    const userIds = this.byName.get(name) ?? [];
    if (name !== '' && userIds.length < MAX_MENTIONS) this.byName.set(name, [...userIds, userId]);
  }

  /** The length of the longest name at this position; 0 if there is none. */
  private lengthAt(text: string, start: number): number {
    const fits = (length: number): boolean =>
      start + length <= text.length &&
      this.byName.has(text.slice(start, start + length)) &&
      endsAt(text, start + length);
    return this.lengths.find(fits) ?? 0;
  }
}

/** A dot may end a sentence, but not the first part of an address: "@ana.silva" does not mention Ana. */
const endsAt = (text: string, end: number): boolean =>
  !/^(?:[\p{L}\p{N}_]|[.@+-][\p{L}\p{N}])/u.test(text.slice(end, end + 3));

/** The users that the HTML of a comment mentions. */
export const mentionedIn = (html: string): number[] => [
  ...new Set(Array.from(html.matchAll(MARK), ([, users = '']) => users.split(',').map(Number)).flat()),
];

/** The HTML of a comment as a page shows it: those who have left are plain names, and the reader's own is `me`. */
export const withMarksOf = (html: string, members: ReadonlySet<number>, reader: number | undefined): string =>
  html.replaceAll(MARK, (_mark, users: string, name: string) => {
    const present = users
      .split(',')
      .map(Number)
      .filter((userId) => members.has(userId));
    if (present.length === 0) return name;
    return reader !== undefined && present.includes(reader)
      ? `<mark class="me">${name}</mark>`
      : `<mark>${name}</mark>`;
  });
