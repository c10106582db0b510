import { defaultTreeAdapter, parse } from 'parse5';
import { attribute, type Node, nodesOf, partsOf } from '../../html-elements';
import { isHtml, type Page } from '../../page';
import { MARK } from '../forms/found-form';

/** What their texts say is not shown as content: fields repeat what was refused. */
const NO_CONTENT = new Set(['textarea', 'option', 'title', 'script', 'style', 'noscript']);
const MARKS = new RegExp(`${MARK.source}(?:[\\s,;|]*${MARK.source})*`, 'g');
/** Classes by which rows of one table differ. */
const OF_ROWS = /\b(?:odd|even|first|last|new|active)\b/g;

const shape = (text: string): string =>
  text.replaceAll(MARKS, '*').replaceAll(/\d+/g, '0').replaceAll(/\s+/g, ' ').trim();

/**
 * Where the text of an HTML page shows the mark: the elements, and the text around it. What was refused may be repeated as well, but
 * with other words, in another element, or in a field.
 */
export function placesOf(page: Page, mark: string): ReadonlySet<string> {
  const { text } = page;
  const found = new Set<string>();
  if (!text.includes(mark) || !isHtml(page)) return found;
  const stack: (readonly [node: Node, path: string])[] = [[parse(partsOf(text)[0] ?? ''), '']];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [node, path] = next;
    if (defaultTreeAdapter.isTextNode(node) && node.value.includes(mark)) found.add(`${path} ${shape(node.value)}`);
    if (defaultTreeAdapter.isElementNode(node) && NO_CONTENT.has(node.tagName)) continue;
    const name = defaultTreeAdapter.isElementNode(node)
      ? `${path}>${node.tagName}.${shape((attribute(node, 'class') ?? '').replaceAll(OF_ROWS, ''))}`
      : path;
    stack.push(...nodesOf(node).map((inner) => [inner, name] as const));
  }
  return found;
}
