import { decodedEntities } from '../entities';
import { ExpressionLimitExceeded } from './expressions/value';

export interface MarkupElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Elements and texts in document order. */
  readonly children: (MarkupElement | string)[];
}

/** Parsed without interruption, so longer documents are refused. */
const LONGEST_DOCUMENT = 300_000;
const MOST_ELEMENTS = 10_000;
/** Includes end tags, comments and stray `<` characters. */
const MOST_MARKS = 40_000;
const DEEPEST = 200;

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const EMPTY = names('area base br col embed hr img input link meta source track wbr');
/** Elements whose content is text up to their end tag. */
const RAW = names('script style textarea title');
const IN_HEAD = names('base link meta noscript script style template title');
const SECTIONS = names('tbody thead tfoot');
const CELLS = names('td th');
const BLOCKS = names(
  'address article aside blockquote div dl fieldset footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul',
);

/** The open elements that a start tag ends, and the elements beyond which they are not looked for. */
const ENDS: readonly (readonly [by: ReadonlySet<string>, ended: ReadonlySet<string>, within: ReadonlySet<string>])[] = [
  [BLOCKS, names('p'), names('td th table button')],
  [names('li'), names('li'), names('ul ol')],
  [names('dt dd'), names('dt dd'), names('dl')],
  [names('option optgroup'), names('option'), names('select')],
  [CELLS, CELLS, names('tr table')],
  [names('tr'), names('tr'), names('table')],
  [SECTIONS, SECTIONS, names('table')],
];

const TAG = /<(\/?)([A-Za-z][^\s<>/]{0,100})/y;
const ATTRIBUTE = /[\s/]*([^\s"'<>/=]{1,200})(\s*=\s*)?/y;
const BARE = /[^\s"'<>]{1,10000}/y;

/** Parses a page like a browser, including optional end tags and elements. Reads each character once. */
class MarkupReader {
  private readonly root: MarkupElement = { name: '', attributes: new Map(), children: [] };
  private readonly open: MarkupElement[] = [this.root];
  private at = 0;
  private elements = 0;
  private marks = 0;

  constructor(
    private readonly text: string,
    private readonly isXml: boolean,
  ) {}

  tree(): MarkupElement {
    while (this.at < this.text.length) {
      const next = this.text.indexOf('<', this.at);
      this.addText(this.text.slice(this.at, next < 0 ? this.text.length : next));
      if (next < 0) break;
      this.at = next;
      this.tag();
    }
    return this.root;
  }

  private tag(): void {
    this.marks += 1;
    if (this.marks > MOST_MARKS) throw new ExpressionLimitExceeded(`a page has more than ${MOST_MARKS} tags`);
    if (this.text.startsWith('<![CDATA[', this.at)) return this.characterData();
    if (this.text.startsWith('<!--', this.at)) return this.skipTo('-->');
    TAG.lastIndex = this.at;
    const [all, slash, stated] = TAG.exec(this.text) ?? [];
    if (all === undefined || stated === undefined) {
      if (/^<[!?/]/.test(this.text.slice(this.at, this.at + 2))) return this.skipTo('>');
      this.addText('<');
      this.at += 1;
      return undefined;
    }
    this.at += all.length;
    const name = this.isXml ? stated : stated.toLowerCase();
    if (slash === '/') {
      this.skipTo('>');
      return this.end(name);
    }
    const attributes = this.attributes();
    const isEmpty = this.text[this.at - 1] === '/' || (!this.isXml && EMPTY.has(name));
    this.skipTo('>');
    return this.start(name, attributes, isEmpty);
  }

  private characterData(): void {
    const end = this.text.indexOf(']]>', this.at);
    const last = end < 0 ? this.text.length : end;
    this.top.children.push(this.text.slice(this.at + 9, last));
    this.at = last + 3;
  }

  private skipTo(mark: string): void {
    const end = this.text.indexOf(mark, this.at);
    this.at = end < 0 ? this.text.length : end + mark.length;
  }

  private attributes(): Map<string, string> {
    const attributes = new Map<string, string>();
    for (;;) {
      ATTRIBUTE.lastIndex = this.at;
      const [all, stated, equals] = ATTRIBUTE.exec(this.text) ?? [];
      if (all === undefined || stated === undefined) {
        while (/[\s/]/.test(this.text[this.at] ?? '')) this.at += 1;
        return attributes;
      }
      this.at += all.length;
      const name = this.isXml ? stated : stated.toLowerCase();
      const value = equals === undefined ? '' : this.value();
      if (!attributes.has(name)) attributes.set(name, decodedEntities(value));
    }
  }

  private value(): string {
    const quote = this.text[this.at];
    if (quote === '"' || quote === "'") {
      const end = this.text.indexOf(quote, this.at + 1);
      const last = end < 0 ? this.text.length : end;
      const value = this.text.slice(this.at + 1, last);
      this.at = last + 1;
      return value;
    }
    BARE.lastIndex = this.at;
    const [bare = ''] = BARE.exec(this.text) ?? [];
    this.at += bare.length;
    return bare;
  }

  private get top(): MarkupElement {
    return this.open.at(-1) ?? this.root;
  }

  private isOpen(name: string): boolean {
    return this.open.some((one) => one.name === name);
  }

  private addText(text: string): void {
    const { children } = this.top;
    const last = children.at(-1);
    if (typeof last === 'string') children[children.length - 1] = last + decodedEntities(text);
    else if (text !== '') children.push(decodedEntities(text));
  }

  private start(name: string, attributes: ReadonlyMap<string, string>, isEmpty: boolean): void {
    if (!this.isXml && !this.placeInPage(name)) return;
    const element: MarkupElement = { name, attributes, children: [] };
    this.elements += 1;
    if (this.elements > MOST_ELEMENTS)
      throw new ExpressionLimitExceeded(`a page has more than ${MOST_ELEMENTS} elements`);
    this.top.children.push(element);
    if (isEmpty) return;
    this.open.push(element);
    if (this.open.length > DEEPEST) throw new ExpressionLimitExceeded('a page is nested too deeply');
    if (!this.isXml && RAW.has(name)) this.rawText(name);
  }

  private rawText(name: string): void {
    const end = new RegExp(`</${name}[\\s/>]`, 'gi');
    end.lastIndex = this.at;
    const last = end.exec(this.text)?.index ?? this.text.length;
    this.top.children.push(this.text.slice(this.at, last));
    this.at = last;
  }

  /** Ends the elements that this one ends, and begins optional elements before it. Returns false if it is ignored. */
  private placeInPage(name: string): boolean {
    if (name === 'html' || name === 'head' || name === 'body') {
      if (this.isOpen(name)) return false;
      if (name === 'html') return true;
    } else if (name === 'form' && this.isOpen('form')) return false;
    this.begin('html', this.root.name);
    if (name === 'head') return true;
    if (name === 'body') return this.endHead();
    if (!this.isOpen('body')) {
      if (IN_HEAD.has(name)) this.begin('head', 'html');
      else {
        this.endHead();
        this.begin('body', 'html');
      }
    }
    for (const [by, ended, within] of ENDS) if (by.has(name)) this.endOpen(ended, within);
    if (name === 'tr') this.begin('tbody', 'table');
    if (CELLS.has(name)) {
      this.begin('tbody', 'table');
      if (SECTIONS.has(this.top.name)) this.push('tr');
    }
    return true;
  }

  private endHead(): true {
    if (this.isOpen('head')) this.end('head');
    return true;
  }

  /** Begins an optional element, if `after` is the last open element. */
  private begin(name: string, after: string): void {
    if (this.top.name === after) this.push(name);
  }

  private push(name: string): void {
    const element: MarkupElement = { name, attributes: new Map(), children: [] };
    this.top.children.push(element);
    this.open.push(element);
  }

  private endOpen(ended: ReadonlySet<string>, within: ReadonlySet<string>): void {
    for (let index = this.open.length - 1; index > 0; index -= 1) {
      const { name } = this.open[index] ?? this.root;
      if (ended.has(name)) {
        this.open.length = index;
        return;
      }
      if (within.has(name)) return;
    }
  }

  private end(name: string): void {
    const index = this.open.findLastIndex((one) => one.name === name);
    // Content after the end of the page still belongs to the page.
    if (index > 0 && (this.isXml || (name !== 'html' && name !== 'body'))) this.open.length = index;
  }
}

/** The elements of a page or of an XML document, below a nameless root. */
export function markupTree(text: string): MarkupElement {
  if (text.length > LONGEST_DOCUMENT)
    throw new ExpressionLimitExceeded(`a page is longer than ${LONGEST_DOCUMENT} characters`);
  return new MarkupReader(text, /^\s*<\?xml/.test(text.slice(0, 200))).tree();
}
