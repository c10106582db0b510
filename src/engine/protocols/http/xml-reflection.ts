import { SaxesParser } from 'saxes';
import type { ReflectionFinder } from './reflected-text';

/** Reads an XML document. Returns false if it is not well-formed, because a browser does not show it then. */
export function readXml(page: string, finder: ReflectionFinder): boolean {
  const open: { readonly name: string; readonly type: string }[] = [];
  let isWellFormed = true;
  const parser = new SaxesParser();
  parser.on('error', () => {
    isWellFormed = false;
  });
  parser.on('opentag', ({ name, attributes }) => {
    finder.name(name, 'an element');
    open.push({ name: name.toLowerCase(), type: attributes['type'] ?? '' });
    for (const [attribute, value] of Object.entries(attributes)) {
      finder.name(attribute, 'an attribute');
      // The parser does not say which of the quotes was used.
      for (const quote of [`" `, `' `]) finder.value(attribute.toLowerCase(), value, quote);
    }
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (text) => {
    const { name = '', type = '' } = open.at(-1) ?? {};
    // XML has no elements whose text only ends at their end tag.
    finder.content(name === 'script' ? name : '', type, text);
  });
  parser.on('comment', (text) => {
    if (finder.has(text)) finder.isAt({ kind: 'comment' });
  });
  parser.on('cdata', (text) => {
    if (finder.has(text)) finder.isAt({ kind: 'data' });
  });
  try {
    parser.write(page).close();
  } catch {
    return false;
  }
  return isWellFormed;
}
