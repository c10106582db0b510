import { SaxesParser } from 'saxes';
import type { ReflectionFinder } from './reflected-text';

/** Reads a document of XML. A browser shows nothing of one that is not well-formed, so that false is returned. */
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
      // The parser does not tell which of the quotes it was.
      for (const quote of [`" `, `' `]) finder.value(attribute.toLowerCase(), value, quote);
    }
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', (text) => {
    const { name = '', type = '' } = open.at(-1) ?? {};
    // No element of XML has text that only its end tag ends.
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
