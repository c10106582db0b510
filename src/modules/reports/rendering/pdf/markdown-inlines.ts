import type { Token } from 'markdown-it';
import { type FontFallback } from './font-fallback';
import { type BreakableText, hasLongRun } from './line-breaks';
import type { Inline } from './markdown-tree';

/** The deepest level of nested emphasis. Deeper text is plain. */
const MAX_DEPTH = 6;
/** The typesetter rejects longer URLs. Browsers do not open them either. */
const MAX_URL_LENGTH = 2_048;

type Wrapping = 'em' | 'strong' | 's';

interface Open {
  readonly parts: Inline[];
  readonly wrap: (parts: readonly Inline[]) => Inline;
}

/** The text of a paragraph with its emphasis, links and code. */
export function inlinesOf(tokens: readonly Token[], fonts: FontFallback, longest: number): readonly Inline[] {
  const root: Inline[] = [];
  const stack: Open[] = [];
  const joined = tokens.map(({ content, type }) => (type === 'softbreak' ? ' ' : content)).join('');
  // A long word may consist of several short parts with different emphasis.
  const long = hasLongRun(joined, longest);
  const breakable = (pieces: BreakableText): BreakableText => (long ? [pieces, ''].flat() : pieces);
  const add = (part: Inline): unknown => (stack.at(-1)?.parts ?? root).push(part);
  const open = (wrap: Open['wrap']): unknown => stack.push({ parts: [], wrap });
  const close = (): void => {
    const closed = stack.pop();
    if (closed === undefined || closed.parts.length === 0) return;
    if (stack.length < MAX_DEPTH) add(closed.wrap(closed.parts));
    else for (const part of closed.parts) add(part);
  };
  for (const token of tokens) {
    const wrapping = WRAPPINGS[token.type];
    if (wrapping !== undefined) open((c) => ({ t: wrapping, c }));
    else if (token.type === 'link_open') open(linkTo(String(token.attrGet('href') ?? '')));
    else if (token.nesting === -1) close();
    else if (token.type === 'softbreak') add(' ');
    else if (token.type === 'hardbreak') add({ t: 'br' });
    else if (token.type === 'code_inline') add({ t: 'code', s: breakable(fonts.inlineCode(token.content, longest)) });
    else if (token.type === 'image') add(imageOf(token, fonts, longest));
    else if (token.content !== '') add(breakable(fonts.inline(token.content, longest)));
  }
  while (stack.length > 0) close();
  return root;
}

const WRAPPINGS: Readonly<Record<string, Wrapping>> = { em_open: 'em', strong_open: 'strong', s_open: 's' };

const linkTo =
  (address: string): Open['wrap'] =>
  (c) =>
    address !== '' && address.length <= MAX_URL_LENGTH ? { t: 'a', u: address, c } : { t: 'em', c };

/** A fetched image would tell its host who reads the report. It becomes a link instead. */
function imageOf(token: Token, fonts: FontFallback, longest: number): Inline {
  const name = token.content === '' ? 'Image' : `Image: ${token.content}`;
  return linkTo(String(token.attrGet('src') ?? ''))([fonts.inline(name, longest)]);
}
