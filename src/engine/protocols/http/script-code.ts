/** What comes before a `/` that begins a regular expression, instead of a division. */
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|void|delete|do|else))\s*$/;
const LOOKED_BACK = 20;

const LINE_END = /[\n\r\u2028\u2029]/;

/** Where a literal that begins at a position ends. All but a template literal end with their line. */
function endOfLiteral(code: string, start: number, close: string): number {
  let isInClass = false;
  for (let at = start + 1; at < code.length; at += 1) {
    const character = code[at] ?? '';
    if (character === '\\') at += 1;
    else if (close === '/' && character === '[') isInClass = true;
    else if (close === '/' && character === ']') isInClass = false;
    else if (character === close && !isInClass) return at + 1;
    else if (close !== '`' && LINE_END.test(character)) return at;
  }
  return code.length;
}

function endOfComment(code: string, start: number): number {
  const isBlock = code[start + 1] === '*';
  const end = isBlock ? code.indexOf('*/', start + 2) : code.slice(start).search(LINE_END);
  if (end < 0) return code.length;
  return isBlock ? end + 2 : start + end;
}

/** Where the string, pattern or comment ends that begins here, or null if none does. */
function endOfQuoted(code: string, at: number): number | null {
  const character = code[at] ?? '';
  if (character === '"' || character === "'" || character === '`') return endOfLiteral(code, at, character);
  if (character !== '/') return null;
  if (code[at + 1] === '/' || code[at + 1] === '*') return endOfComment(code, at);
  return BEFORE_PATTERN.test(code.slice(Math.max(0, at - LOOKED_BACK), at)) ? endOfLiteral(code, at, '/') : null;
}

/**
 * Whether a text that was sent with quotes behind it is code of a script: it is outside of strings, patterns and comments, or
 * its first quote ends a string.
 */
export function isInCode(code: string, text: string, quotes: string): boolean {
  const last = code.lastIndexOf(text);
  for (let at = 0; at <= last; at += 1) {
    const end = endOfQuoted(code, at);
    if (end === null && code.startsWith(text, at)) return true;
    if (end === null) continue;
    if (code.startsWith(`${text}${quotes}`, end - 1 - text.length)) return true;
    at = end - 1;
  }
  return false;
}
