import { REDACTED } from '../../kernel/redact';

/** Shorter values would be found in every text. */
export const SHORTEST_SECRET = 3;
/** For secrets that a target issues. The oldest are forgotten; they were redacted when they were received. */
const MOST_ISSUED = 2_000;

/** In characters: cookies have at most 4 KiB, and each character may be spelled as `%20`. */
const LONGEST_SPELLING = 12_288;

/** The character references that libraries use, which differ for quotes. */
const MARKUP: Readonly<Record<string, readonly string[]>> = {
  '&': ['&amp;', '&#38;', '&#x26;'],
  '<': ['&lt;', '&#60;', '&#x3c;', '&#x3C;'],
  '>': ['&gt;', '&#62;', '&#x3e;', '&#x3E;', '>'],
  '"': ['&quot;', '&#34;', '&#x22;', '"'],
  "'": ['&#39;', '&#x27;', '&apos;', '&#039;', "'"],
};

function inMarkup(value: string): string[] {
  let spelled = [value];
  for (const [sign, entities] of Object.entries(MARKUP))
    if (value.includes(sign)) spelled = spelled.flatMap((one) => entities.map((entity) => `${one}\n${sign}${entity}`));
  return spelled.map((one) => {
    const [text = '', ...chosen] = one.split('\n');
    const entities = new Map(chosen.map((entity) => [entity.slice(0, 1), entity.slice(1)]));
    return text.replace(/[&<>"']/g, (sign) => entities.get(sign) ?? sign);
  });
}

const lowerEscapes = (text: string): string => text.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase());

/**
 * A value within a larger base64 text has three possible spellings, without the characters at its ends that depend on its
 * neighbors.
 */
function inBase64(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const own = text.slice(shift === 0 ? 0 : shift + 1, Math.floor(((bytes.length + shift) * 8) / 6));
    return own.length < SHORTEST_SECRET + 2 ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function spellingsOf(value: string): Set<string> {
  const url = encodeURIComponent(value);
  const strict = url.replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const json = JSON.stringify(value).slice(1, -1);
  const ascii = json.replace(
    /[<>&'\u0080-\uffff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const plain = [value, Buffer.from(value).toString('latin1'), json, json.replaceAll('/', '\\/'), ascii];
  const urls = [url, strict, url.replaceAll('%20', '+'), strict.replaceAll('%20', '+')];
  const all = [...plain, ...urls, ...urls.map(lowerEscapes), ...inMarkup(value), ...inBase64(value)];
  return new Set(all.filter((one) => one.length >= SHORTEST_SECRET));
}

/** The key of three characters. */
const keyAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1)) * 65_536 + text.charCodeAt(at + 2);

/**
 * Removes secret values from everything that is stored, in all their spellings. A search takes about the same time for one value
 * as for thousands.
 */
export class SecretValues {
  /** By their first three characters, the longest first. */
  private readonly spellings = new Map<number, string[]>();
  private readonly issued = new Set<string>();
  private readonly typed = new Set<string>();

  constructor(typed: readonly string[] = []) {
    for (const value of typed) {
      if (value.length < SHORTEST_SECRET) continue;
      this.typed.add(value);
      this.keep(value);
    }
  }

  /** Adds a secret that the target has issued. */
  add(value: string): void {
    if (value.length < SHORTEST_SECRET || this.typed.has(value) || this.issued.has(value)) return;
    this.issued.add(value);
    this.keep(value);
    const [oldest] = this.issued;
    if (this.issued.size > MOST_ISSUED && oldest !== undefined) this.forget(oldest);
  }

  has(text: string): boolean {
    return this.redact(text) !== text;
  }

  /** `isCut`: more text followed, so that the end may be the beginning of a secret. */
  redact(text: string, isCut = false): string {
    const parts: string[] = [];
    let from = 0;
    for (let at = 0; at + SHORTEST_SECRET <= text.length; at += 1) {
      const found = this.spellings.get(keyAt(text, at))?.find((one) => text.startsWith(one, at));
      if (found === undefined) continue;
      parts.push(text.slice(from, at), REDACTED);
      from = at + found.length;
      at = from - 1;
    }
    const rest = text.slice(from);
    return `${parts.join('')}${isCut ? this.withoutBeginning(rest) : rest}`;
  }

  /** The text without a part of a secret at its end, which a cut may have left there. */
  private withoutBeginning(text: string): string {
    for (let at = Math.max(0, text.length - LONGEST_SPELLING); at + SHORTEST_SECRET <= text.length; at += 1) {
      const others = this.spellings.get(keyAt(text, at));
      const end = others && text.slice(at);
      if (end !== undefined && others?.some((one) => one.startsWith(end))) return text.slice(0, at);
    }
    return text;
  }

  /** Redacts all texts in plain JSON. */
  redactAll<T>(value: T): T;
  redactAll(value: unknown): unknown {
    if (typeof value === 'string') return this.redact(value);
    // Sketches of pages are long lists of numbers.
    if (Array.isArray(value)) return typeof value[0] === 'number' ? value : value.map((one) => this.redactAll(one));
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [this.redact(name), this.redactAll(one)]));
  }

  private keep(value: string): void {
    for (const spelling of spellingsOf(value)) {
      const key = keyAt(spelling, 0);
      const others = this.spellings.get(key) ?? [];
      if (others.includes(spelling)) continue;
      this.spellings.set(
        key,
        [...others, spelling].sort((one, other) => other.length - one.length),
      );
    }
  }

  private forget(value: string): void {
    this.issued.delete(value);
    for (const spelling of spellingsOf(value)) {
      const key = keyAt(spelling, 0);
      this.spellings.set(
        key,
        (this.spellings.get(key) ?? []).filter((one) => one !== spelling),
      );
    }
  }
}
