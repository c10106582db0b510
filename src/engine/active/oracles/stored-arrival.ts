import { defaultTreeAdapter, parse } from 'parse5';
import { attribute, type Element, type Node, nodesOf, partsOf } from '../../html-elements';
import type { Page } from '../../page';
import { randomWord } from '../../twins';

/** What became of a stored value in a page, from the least to the most. */
export const ARRIVALS = ['nothing', 'text', 'element', 'attribute'] as const;
export type Arrival = (typeof ARRIVALS)[number];

export const isAtLeast = (one: Arrival, other: Arrival): boolean => ARRIVALS.indexOf(one) >= ARRIVALS.indexOf(other);

export const newMark = (): string => `assay${randomWord()}`;

const nameOf = (mark: string): string => `${mark}-x`;

/** An element that HTML does not know, whose event handler is empty. Nothing runs where it is stored. */
export const storedMarkup = (mark: string): string => `${mark}<${nameOf(mark)} onclick=""></${nameOf(mark)}>`;

/** Only what is in the document: the content of a `template`, and with scripts that of a `noscript`, is not. */
function elementNamed(text: string, name: string): Element[] {
  const found: Element[] = [];
  const stack: Node[] = [parse(text, { scriptingEnabled: true })];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (defaultTreeAdapter.isElementNode(node) && node.tagName === name) found.push(node);
    stack.push(...nodesOf(node));
  }
  return found;
}

const isHtml = ({ headers }: Page): boolean => /html/i.test(headers.get('content-type') ?? 'html');

/** What a browser makes of the value with this mark. Later parts of a long page may begin within a comment, so they are not read. */
export function arrivalOf(page: Page, mark: string): Arrival {
  const { text } = page;
  if (!text.toLowerCase().includes(mark)) return 'nothing';
  const elements = isHtml(page) ? elementNamed(partsOf(text)[0] ?? '', nameOf(mark)) : [];
  if (elements.some((one) => attribute(one, 'onclick') === '')) return 'attribute';
  return elements.length > 0 ? 'element' : 'text';
}
