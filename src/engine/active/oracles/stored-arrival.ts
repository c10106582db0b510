import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parse } from 'parse5';
import { type Element, type Node, nodesOf, partsOf } from '../../html-elements';
import { isHtml, type Page } from '../../page';
import { randomWord } from '../../twins';

/**
 * What became of a stored value in a page, from the least to the most. `hidden`: it is in a script, an attribute or another place where
 * markup has no effect, so nothing shows whether it is escaped.
 */
export const ARRIVALS = ['nothing', 'hidden', 'text', 'element', 'attribute'] as const;
export type Arrival = (typeof ARRIVALS)[number];

export const isAtLeast = (one: Arrival, other: Arrival): boolean => ARRIVALS.indexOf(one) >= ARRIVALS.indexOf(other);

export const newMark = (): string => `assay${randomWord()}`;

const nameOf = (mark: string): string => `${mark}-x`;

type Write = (name: string) => string;

/** An element that HTML does not know, whose event handler is empty. Nothing runs where it is stored. */
const PLAIN: Write = (name) => `<${name} onclick=""></${name}>`;
/** What incomplete filters let through: they remove tags that end, or handlers that they know, as they are usually written. */
const FURTHER: Readonly<Record<string, Write>> = {
  slash: (name) => `<${name}/onclick=''></${name}>`,
  capitals: (name) => `<${name.toUpperCase()} ONCLICK></${name}>`,
  'rare handler': (name) => `<${name} onpointerrawupdate=""></${name}>`,
  'no end': (name) => `<${name} onclick="" `,
};
export const PLAIN_SYNTAX = 'element';
export const FURTHER_SYNTAXES = Object.keys(FURTHER);

export const storedMarkup = (mark: string, syntax = PLAIN_SYNTAX): string =>
  `${mark}${(FURTHER[syntax] ?? PLAIN)(nameOf(mark))}`;

/** Only what is in the document: the content of a `template`, and with scripts that of a `noscript`, is not. */
function* nodesIn(text: string): Generator<Node> {
  const stack: Node[] = [parse(text, { scriptingEnabled: true })];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    stack.push(...nodesOf(node));
  }
}

const CODE = /^(?:script|style)$/;
const isText = (node: Node): node is DefaultTreeAdapterTypes.TextNode =>
  defaultTreeAdapter.isTextNode(node) && !CODE.test(node.parentNode?.nodeName ?? '');
const hasHandler = ({ attrs }: Element): boolean =>
  attrs.some(({ name, value }) => /^on[a-z]+$/.test(name) && value === '');

/** What a browser makes of the value with this mark. Later parts of a long page may begin within a comment, so they are not read. */
export function arrivalOf(page: Page, mark: string): Arrival {
  const text = page.text.toLowerCase();
  if (!text.includes(mark)) return 'nothing';
  const nodes = isHtml(page) ? [...nodesIn(partsOf(page.text)[0] ?? '')] : [];
  const elements = nodes.filter((node) => defaultTreeAdapter.isElementNode(node) && node.tagName === nameOf(mark));
  if ((elements as Element[]).some(hasHandler)) return 'attribute';
  if (elements.length > 0) return 'element';
  const isEscaped = !text.includes(`<${nameOf(mark)}`);
  const isShown = nodes.some((node) => isText(node) && node.value.toLowerCase().includes(mark));
  return isEscaped && isShown ? 'text' : 'hidden';
}
