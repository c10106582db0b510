import { isInCode, type Opening, openingsAround } from './script-code';

/** The text that we sent, in lower case, and what a browser may make of it. */
export interface SentText {
  /** Identifies our text in a page. */
  readonly word: string;
  isName(name: string): boolean;
  /** Counts as script code if it is outside of literals and comments. */
  readonly code: string;
  /** Sent after `code`. The first quote ends a string of a script, if it is not escaped. */
  readonly quotes?: string;
}

/** The place of our text in a page, as far as it decides how to leave it. */
export type ReflectedPlace =
  | { readonly kind: 'text' | 'comment' | 'name' | 'address' | 'data' }
  /** The quote of the attribute; empty without one. */
  | { readonly kind: 'value'; readonly quote: string }
  /** Text up to the end tag of this element. */
  | { readonly kind: 'raw'; readonly element: string }
  /** In an attribute, no tag can end the script. */
  | { readonly kind: 'script'; readonly opening: Opening; readonly isElement: boolean };

export interface Reflection {
  /** What our text has become although it must not, or null. */
  readonly created: 'an element' | 'an attribute' | 'code of a script' | null;
  readonly places: readonly ReflectedPlace[];
}

/** Elements whose content is text up to their end tag, or has no effect until then. */
export const RAW = new Set(
  'style textarea title xmp iframe noembed noframes noscript plaintext template select'.split(' '),
);
const SCRIPT_TYPE = /^\s*(?:$|module\s*$|(?:text|application)\/(?:x-)?(?:java|ecma)script)/i;
const SCRIPT_ADDRESS = /^[\s\p{Cc}]*javascript:/iu;
const ADDRESSES = new Set('href src action formaction data xlink:href'.split(' '));

/** Collects the places of our text in a document. */
export class ReflectionFinder {
  private created: Reflection['created'] = null;
  private readonly places = new Map<string, ReflectedPlace>();

  constructor(private readonly sent: SentText) {}

  get reflection(): Reflection {
    return { created: this.created, places: [...this.places.values()] };
  }

  has(text: string): boolean {
    return text.toLowerCase().includes(this.sent.word);
  }

  isAt(place: ReflectedPlace): void {
    this.places.set(JSON.stringify(place), place);
  }

  name(name: string, what: 'an element' | 'an attribute'): void {
    if (this.sent.isName(name.toLowerCase())) this.created ??= what;
    else if (this.has(name)) this.isAt({ kind: 'name' });
  }

  private script(text: string, isElement: boolean): void {
    const code = text.toLowerCase();
    const { word, quotes } = this.sent;
    if (isInCode(code, this.sent.code, quotes)) this.created ??= 'code of a script';
    for (const opening of openingsAround(code, word)) this.isAt({ kind: 'script', opening, isElement });
  }

  value(name: string, value: string, quote: string): void {
    if (!this.has(value)) return;
    this.isAt({ kind: 'value', quote });
    if (name.startsWith('on')) this.script(value, false);
    if (!ADDRESSES.has(name)) return;
    if (SCRIPT_ADDRESS.test(value)) this.script(value.slice(value.indexOf(':') + 1), false);
    if (value.trim().toLowerCase().startsWith(this.sent.word)) this.isAt({ kind: 'address' });
  }

  /** Adds the text of an element. */
  content(element: string, type: string, text: string): void {
    if (!this.has(text)) return;
    if (element !== 'script') this.isAt(RAW.has(element) ? { kind: 'raw', element } : { kind: 'text' });
    else if (SCRIPT_TYPE.test(type)) this.script(text, true);
    else this.isAt({ kind: 'raw', element });
  }
}
