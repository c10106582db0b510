import { decodedEntities } from './entities';
import { isInCode } from './script-code';

/**
 * What a page makes of a text that we sent: `active` if it is an element, the name of an attribute or code of a script;
 * `enclosed` if it is in a comment or in text that only its own end can leave.
 */
export type Reflection =
  { readonly kind: 'active' } | { readonly kind: 'enclosed'; readonly end: string } | { readonly kind: 'none' };

const ACTIVE: Reflection = { kind: 'active' };
const NONE: Reflection = { kind: 'none' };

/** Their content is text up to their end tag. */
const RAW = new Set('script style textarea title xmp iframe noembed noframes noscript'.split(' '));
const TAG = /<\/?([A-Za-z][^\s/>]*)/y;
const ATTRIBUTE = /[\s/]*([^\s/>=][^\s/>=]*)(\s*=\s*)?/y;
const BARE = /[^\s>]*/y;
const SCRIPT_TYPE = /^\s*(?:$|module\s*$|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i;
const SCRIPT_ADDRESS = /^[\s\p{Cc}]*javascript:/iu;

interface Attribute {
  readonly name: string;
  readonly value: string;
}

/** Reads a page as a browser does, as far as that decides what the text is. Each character is read once. */
class ReflectionReader {
  private at = 0;
  private enclosed: Reflection = NONE;

  constructor(
    private readonly page: string,
    private readonly name: string,
    private readonly quotes: string,
    private readonly element: string,
  ) {}

  reflection(): Reflection {
    for (let next = this.page.indexOf('<'); next >= 0; next = this.page.indexOf('<', this.at)) {
      this.at = next;
      if (this.isActive()) return ACTIVE;
    }
    return this.enclosed;
  }

  private isActive(): boolean {
    if (this.page.startsWith('<!--', this.at)) return this.skipComment();
    TAG.lastIndex = this.at;
    const [tag, stated] = TAG.exec(this.page) ?? [];
    if (tag === undefined || stated === undefined) {
      const isDeclaration = /[!?/]/.test(this.page[this.at + 1] ?? '');
      this.at = isDeclaration ? this.after('>', this.at) : this.at + 1;
      return false;
    }
    this.at += tag.length;
    const name = stated.toLowerCase();
    const attributes = this.attributes();
    if (name.includes(this.name) || attributes.some((one) => one.name.includes(this.name))) return true;
    if (tag.startsWith('</')) return false;
    return attributes.some((one) => this.isScript(one)) || (RAW.has(name) && this.rawText(name, attributes));
  }

  private after(mark: string, from: number): number {
    const end = this.page.indexOf(mark, from);
    return end < 0 ? this.page.length : end + mark.length;
  }

  private skipComment(): false {
    const start = this.at;
    this.at = this.after('-->', start + 2);
    this.note(this.page.slice(start, this.at), '-->');
    return false;
  }

  private note(content: string, end: string): void {
    if (content.includes(this.element)) this.enclosed = { kind: 'enclosed', end };
  }

  /** Ends behind the `>` of the tag. */
  private attributes(): Attribute[] {
    const attributes: Attribute[] = [];
    for (;;) {
      ATTRIBUTE.lastIndex = this.at;
      const [all, name, equals] = ATTRIBUTE.exec(this.page) ?? [];
      if (all === undefined || name === undefined) {
        this.at = this.after('>', this.at);
        return attributes;
      }
      this.at += all.length;
      attributes.push({ name: name.toLowerCase(), value: equals === undefined ? '' : this.value() });
    }
  }

  private value(): string {
    const quote = this.page[this.at];
    if (quote === '"' || quote === "'") {
      const start = this.at + 1;
      this.at = this.after(quote, start);
      return this.page.slice(start, this.at - 1);
    }
    BARE.lastIndex = this.at;
    const [bare = ''] = BARE.exec(this.page) ?? [];
    this.at += bare.length;
    return bare;
  }

  /** A browser decodes the value of an attribute before it runs it. */
  private isScript({ name, value }: Attribute): boolean {
    if (!value.toLowerCase().includes(this.name)) return false;
    const text = decodedEntities(value);
    return (name.startsWith('on') || SCRIPT_ADDRESS.test(text)) && isInCode(text, this.name, this.quotes);
  }

  private rawText(name: string, attributes: readonly Attribute[]): boolean {
    const start = this.at;
    const end = new RegExp(`</${name}[\\s/>]`, 'gi');
    end.lastIndex = start;
    this.at = end.exec(this.page)?.index ?? this.page.length;
    const content = this.page.slice(start, this.at);
    this.note(content, `</${name}>`);
    const type = attributes.find((one) => one.name === 'type')?.value ?? '';
    return name === 'script' && SCRIPT_TYPE.test(type) && isInCode(content, this.name, this.quotes);
  }
}

export interface SentText {
  /** What elements and attributes can be called, in lower case. */
  readonly name: string;
  /** Sent behind the name. The first one ends a string of a script, if it is not escaped. */
  readonly quotes: string;
  /** Sent last. Its tags are in the page if `<` and `>` are not escaped. */
  readonly element: string;
}

export function reflectionOf(page: string, { name, quotes, element }: SentText): Reflection {
  return page.includes(name) ? new ReflectionReader(page, name, quotes, element).reflection() : NONE;
}
