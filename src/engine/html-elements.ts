import { defaultTreeAdapter, type DefaultTreeAdapterTypes, parse } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
export type Node = DefaultTreeAdapterTypes.Node;

/** Parsing this much takes at most a few tens of milliseconds, whatever the content. */
const MAX_CHARACTERS = 200_000;
const MAX_TAGS = 3_000;
const MAX_PARTS = 4;
const MAX_TEXT = 200;

/** The index of the first tag after MAX_TAGS others, or the end of the text. */
function endOfTags(text: string): number {
  let at = -1;
  for (let tags = 0; tags <= MAX_TAGS; tags += 1) {
    at = text.indexOf('<', at + 1);
    if (at < 0) return text.length;
  }
  return at;
}

/** Nested tags take more than linear time, so a long page is parsed in parts. Each further part begins with a link. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (let rest = text.slice(0, MAX_CHARACTERS); rest !== '' && parts.length < MAX_PARTS;) {
    const end = endOfTags(rest);
    const link = end === rest.length ? 0 : rest.lastIndexOf('<a ', end);
    parts.push(rest.slice(0, link > 0 ? link : end));
    rest = rest.slice(link > 0 ? link : end);
  }
  return parts;
}

export const parsed = (text: string): Element[] => elementsOf(parse(text, { scriptingEnabled: false }));

export const attribute = ({ attrs }: Element, name: string): string | null =>
  attrs.find((one) => one.name === name)?.value ?? null;

export const nodesOf = (node: Node): readonly Node[] => ('childNodes' in node ? node.childNodes : []);

/** Every element in the order of the document, without recursion: pages may be nested deeply. */
export function elementsOf(root: Node): Element[] {
  const found: Element[] = [];
  const stack: Node[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (defaultTreeAdapter.isElementNode(node)) found.push(node);
    const inside = 'content' in node ? nodesOf(node.content) : nodesOf(node);
    for (let at = inside.length - 1; at >= 0; at -= 1) stack.push(inside[at] as Node);
  }
  return found;
}

export function textOf(root: Element): string {
  let text = '';
  const stack: Node[] = [root];
  for (let node = stack.pop(); node !== undefined && text.length < MAX_TEXT; node = stack.pop()) {
    if (defaultTreeAdapter.isTextNode(node)) text += node.value;
    else stack.push(...nodesOf(node).toReversed());
  }
  return text.replace(/\s+/g, ' ').trim();
}

export function optionOf(select: Element): string {
  const options = elementsOf(select).filter(({ tagName }) => tagName === 'option');
  const valueOf = (option: Element): string => attribute(option, 'value') ?? textOf(option);
  const selected = options.find((one) => attribute(one, 'selected') !== null);
  return valueOf(selected ?? options.find((one) => valueOf(one) !== '') ?? select);
}
