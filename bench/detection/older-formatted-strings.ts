const START = /#[^\n]*|'''|"""|\bf['"]|['"]/y;

/** The end of the string that begins at `start` with this quote, behind its closing quote. */
function endOfString(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return text.length;
}

/** From behind the opening quote of a formatted string to behind its closing one. */
function formatted(text: string, start: number, quote: string): { readonly end: number; readonly written: string } {
  const other = quote === "'" ? '"' : "'";
  let written = '';
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (depth === 0 && character === '\\') {
      written += text.slice(at, (at += 1) + 1);
    } else if (depth === 0 && character === quote) {
      return { end: at + 1, written: written + quote };
    } else if (depth > 0 && (character === "'" || character === '"')) {
      const end = endOfString(text, at + 1, character);
      const inner = text.slice(at + 1, end - 1);
      const delimiter = character === quote ? other : character;
      written += inner === "\\'" ? 'chr(39)' : delimiter + inner + delimiter;
      at = end - 1;
    } else {
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      written += character;
    }
  }
  return { end: text.length, written };
}

/** Python before 3.12 refuses the outer quote and backslashes in the braces of a formatted string. */
export function olderFormattedStrings(text: string): string {
  let written = '';
  for (let at = 0; at < text.length;) {
    START.lastIndex = at;
    const start = START.exec(text)?.[0];
    if (start === undefined) {
      written += text[at];
      at += 1;
    } else if (start.startsWith('f')) {
      const string = formatted(text, at + 2, start.slice(1));
      written += start + string.written;
      at = string.end;
    } else {
      const end = start.startsWith('#') ? at + start.length : endOfString(text, at + start.length, start);
      written += text.slice(at, end);
      at = end;
    }
  }
  return written;
}
