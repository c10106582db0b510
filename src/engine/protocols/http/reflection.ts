import { type DefaultTreeAdapterTypes as Tree, defaultTreeAdapter, html, parse } from 'parse5';
import type { HttpAnswer } from '../../transport/http';
import { RAW, type Reflection, ReflectionFinder, type SentText } from './reflected-text';
import { readXml } from './xml-reflection';

const NONE: Reflection = { created: null, places: [] };
const SEARCHED_CHARACTERS = 300_000;
/** Browsers do not nest more deeply either. */
const DEEPEST = 512;
const MOST_ELEMENTS = 20_000;
/** Documents that are nested in attributes of documents. */
const MOST_NESTED = 5;

const HTML = /^\s?text\/html\b/i;
const XML = /^\s?(?:application\/xhtml\+xml|image\/svg\+xml|(?:text|application)\/xml)\b/i;
/** What browsers recognize as HTML if the type is not stated. */
const SNIFFED =
  /^\s*<(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)(?:[\s>]|(?<=--))/i;

class TooLarge extends Error {}

/** Limits the depth, because a page may be designed to keep a parser busy. */
function boundedAdapter(): typeof defaultTreeAdapter {
  let depth = 0;
  let count = 0;
  return {
    ...defaultTreeAdapter,
    onItemPush: () => {
      depth += 1;
      count += 1;
      if (depth > DEEPEST || count > MOST_ELEMENTS) throw new TooLarge();
    },
    onItemPop: () => {
      depth -= 1;
    },
  };
}

const typeOf = ({ attrs }: Tree.Element): string => attrs.find(({ name }) => name === 'type')?.value ?? '';

class HtmlReader {
  constructor(
    private readonly page: string,
    private readonly finder: ReflectionFinder,
    private readonly nesting = 0,
  ) {}

  read(): void {
    const document = parse(this.page, { sourceCodeLocationInfo: true, treeAdapter: boundedAdapter() });
    const nodes: Tree.Node[] = [document];
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if ('attrs' in node) this.element(node);
      if ('value' in node) this.text(node);
      if ('data' in node && this.finder.has(node.data)) this.finder.isAt({ kind: 'comment' });
      if ('childNodes' in node) for (const child of node.childNodes) nodes.push(child);
    }
  }

  private element(element: Tree.Element): void {
    const { tagName, attrs, sourceCodeLocation } = element;
    this.finder.name(tagName, 'an element');
    for (const { name, value, prefix } of attrs) {
      this.finder.name(name, 'an attribute');
      const full = prefix === undefined || prefix === '' ? name : `${prefix}:${name}`;
      const at = sourceCodeLocation?.attrs?.[full] ?? sourceCodeLocation?.attrs?.[name];
      const source = at === undefined ? '' : this.page.slice(at.startOffset, at.endOffset);
      const [, quote = ''] = /^[^=]*=\s*(["'])/.exec(source) ?? [];
      this.finder.value(full.toLowerCase(), value, quote);
      if (tagName === 'iframe' && name === 'srcdoc' && this.nesting < MOST_NESTED && this.finder.has(value))
        new HtmlReader(value, this.finder, this.nesting + 1).read();
    }
    // The content of a template is not shown.
    if (tagName === 'template' && sourceCodeLocation)
      this.finder.content(tagName, '', this.page.slice(sourceCodeLocation.startOffset, sourceCodeLocation.endOffset));
  }

  private text({ value, parentNode }: Tree.TextNode): void {
    if (!this.finder.has(value)) return;
    for (let node = parentNode; node !== null && 'attrs' in node; node = node.parentNode)
      if (node === parentNode || node.tagName === 'select') {
        const isHtml = node.namespaceURI === html.NS.HTML;
        const isSpecial = node.tagName === 'script' || (isHtml && RAW.has(node.tagName));
        if (isSpecial) return this.finder.content(node.tagName, typeOf(node), value);
      }
    this.finder.content('', '', value);
  }
}

const isAttachment = ({ headers }: HttpAnswer): boolean =>
  /^\s*attachment\b/i.test(headers.get('content-disposition') ?? '');

/** How a browser parses a response, or null if it does not show it as a markup document. */
function markupOf({ headers, text }: HttpAnswer): 'html' | 'xml' | null {
  const type = headers.get('content-type')?.trim() ?? '';
  if (HTML.test(type)) return 'html';
  if (XML.test(type)) return 'xml';
  const isSniffed = type === '' && !/nosniff/i.test(headers.get('x-content-type-options') ?? '');
  return isSniffed && SNIFFED.test(text.slice(0, 1_000)) ? 'html' : null;
}

/** What a browser makes of our text in a response. */
export function reflectionIn(answer: HttpAnswer, sent: SentText): Reflection {
  const isRedirect = answer.status >= 300 && answer.status < 400;
  const markup = isRedirect || isAttachment(answer) ? null : markupOf(answer);
  const page = answer.text.slice(0, SEARCHED_CHARACTERS);
  const finder = new ReflectionFinder(sent);
  if (markup === null || !finder.has(page)) return NONE;
  try {
    if (markup === 'xml') return readXml(page, finder) ? finder.reflection : NONE;
    new HtmlReader(page, finder).read();
    return finder.reflection;
  } catch (error) {
    if (error instanceof TooLarge) return NONE;
    throw error;
  }
}
