/** What comes before a `/` that begins a regular expression, not a division. */
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};+\-*%~^<>]|\b(?:return|typeof|case|in|of|void|delete|do|else))\s*$/;
const LOOKED_BACK = 20;

const LINE_END = /[\n\r\u2028\u2029]/;

/** The beginning of a part of a script; `code` if it is neither a literal nor a comment. */
export type Opening = 'code' | "'" | '"' | '`' | '/' | '//' | '/*';

interface Part {
  readonly opening: Opening;
  readonly start: number;
  readonly end: number;
}

/** The end of the literal that begins at this position. Only template literals may continue on the next line. */
function endOfLiteral(code: string, start: number, close: string): number {
  let isInClass = false;
  for (let at = start + 1; at < code.length; at += 1) {
    const character = code[at] ?? '';
    if (character === '\\') at += 1;
    else if (close === '/' && character === '[') isInClass = true;
    else if (close === '/' && character === ']') isInClass = false;
    else if (character === close && !isInClass) return at + 1;
    else if (close === '`' && character === '$' && code[at + 1] === '{') return at + 2;
    else if (close !== '`' && LINE_END.test(character)) return at;
  }
  return code.length;
}

function endOfComment(code: string, start: number, opening: Opening): number {
  const end = opening === '/*' ? code.indexOf('*/', start + 2) : code.slice(start).search(LINE_END);
  if (end < 0) return code.length;
  return opening === '/*' ? end + 2 : start + end;
}

function openingAt(code: string, at: number): Opening {
  const character = code[at];
  if (character === '"' || character === "'" || character === '`') return character;
  if (code.startsWith('<!--', at)) return '//';
  if (character !== '/') return 'code';
  const next = code[at + 1];
  if (next === '/' || next === '*') return `/${next}`;
  return BEFORE_PATTERN.test(code.slice(Math.max(0, at - LOOKED_BACK), at)) ? '/' : 'code';
}

/** Splits a script into literals, comments and the code between them. Reads each character once. */
function partsOf(code: string): Part[] {
  const parts: Part[] = [];
  /** For each expression in a template literal, the number of its open braces. */
  const braces: number[] = [];
  let from = 0;
  for (let at = 0; at < code.length;) {
    const character = code[at];
    const isEndOfExpression = character === '}' && braces.at(-1) === 0;
    const opening = isEndOfExpression ? '`' : openingAt(code, at);
    if (opening === 'code') {
      if (character === '{' && braces.length > 0) braces.push((braces.pop() ?? 0) + 1);
      if (character === '}' && braces.length > 0) braces.push((braces.pop() ?? 0) - 1);
      at += 1;
      continue;
    }
    if (isEndOfExpression) braces.pop();
    // The opening brace of an expression in a template literal belongs to the code.
    const isComment = opening === '//' || opening === '/*';
    const end = isComment ? endOfComment(code, at, opening) : endOfLiteral(code, at, opening);
    const opensExpression = opening === '`' && code[end - 1] === '{' && code[end - 2] === '$';
    if (opensExpression) braces.push(0);
    parts.push({ opening: 'code', start: from, end: at }, { opening, start: at, end });
    from = opensExpression ? end - 1 : end;
    at = Math.max(end, at + 1);
  }
  return [...parts, { opening: 'code', start: from, end: code.length }];
}

/**
 * Whether a text is script code, outside of literals and comments. If quotes were sent after it, it also counts if the first
 * quote ends a literal.
 */
export const isInCode = (code: string, text: string, quotes = ''): boolean =>
  code.includes(text) &&
  partsOf(code).some(({ opening, start, end }) =>
    opening === 'code'
      ? code.slice(start, end).includes(text)
      : quotes !== '' && code.startsWith(`${text}${quotes}`, end - 1 - text.length),
  );

/** The parts of a script that contain a text, by their beginnings. */
export const openingsAround = (code: string, text: string): Opening[] =>
  code.includes(text)
    ? partsOf(code)
        .filter(({ start, end }) => code.slice(start, end).includes(text))
        .map(({ opening }) => opening)
    : [];
