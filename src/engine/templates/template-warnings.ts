import type { Page } from '../page';
import { Headers } from '../transport/headers';
import type { RequestBlock, Matcher } from './template-schema';
import type { CompiledExpressions, RequestsField } from './compile-expressions';
import { fieldText, PARTS } from './response-parts';

/** Short, because expressions are tested on it synchronously. */
const PAGE =
  '<!doctype html><html lang="en"><head><title>Error</title></head><body><h1>Access denied</h1></body></html>';

/** Typical responses of a firewall or a login. A matcher that accepts them shows no weakness. */
const UNRELATED: readonly Page[] = [200, 403].map((status) => ({
  url: 'https://www.example.com/',
  status,
  headers: new Headers([
    ['content-type', 'text/html; charset=utf-8'],
    ['content-length', String(PAGE.length)],
    ['server', 'nginx'],
    ['date', 'Thu, 01 Jan 2026 00:00:00 GMT'],
  ]),
  body: Buffer.from(PAGE),
  text: PAGE,
  tls: null,
  hops: [],
}));

/** This part of the unrelated pages, without duplicates. */
const textsOf = (part: string): string[] => [...new Set(UNRELATED.map((page) => PARTS.of(page, part)))];

type ContentMatcher = Extract<Matcher, { type: 'word' | 'regex' }>;

function holdsIn(text: string, matcher: ContentMatcher, expressions: CompiledExpressions): boolean {
  const folded = (one: string): string =>
    matcher.type === 'word' && matcher['case-insensitive'] ? one.toLowerCase() : one;
  const found =
    matcher.type === 'word'
      ? matcher.words.map((word) => folded(text).includes(folded(word)))
      : matcher.regex.map((pattern) => expressions.get(pattern)?.occursIn(text) === true);
  return matcher.condition === 'and' ? found.every(Boolean) : found.some(Boolean);
}

/** Whether a matcher requires content that unrelated pages do not have. */
function requiresContent(matcher: Matcher, expressions: CompiledExpressions): boolean {
  if (matcher.type === 'status' || matcher.type === 'size' || matcher.negative) return false;
  return !textsOf(matcher.part).some((text) => holdsIn(text, matcher, expressions));
}

/** Whether an extractor, where there are no matchers, finds something in unrelated pages too. */
const extractsFromAnyPage = ({ extractors = [] }: RequestBlock, expressions: CompiledExpressions): boolean =>
  extractors.some((one) =>
    one.type === 'kval'
      ? one.kval.some((field) => UNRELATED.some((page) => fieldText(page, field) !== ''))
      : one.regex.some((pattern) =>
          textsOf(one.part).some((text) => expressions.get(pattern)?.occursIn(text) === true),
        ),
  );

/** The part of a block that matches any content, or null. */
function partWithoutContent(block: RequestBlock, location: string, expressions: CompiledExpressions): string | null {
  const { matchers } = block;
  if (matchers === undefined) return extractsFromAnyPage(block, expressions) ? `${location}.extractors` : null;
  const without = matchers.filter((matcher) => !requiresContent(matcher, expressions));
  const [first] = without;
  if (first === undefined) return null;
  if (without.length === matchers.length) return `${location}.matchers`;
  return block['matchers-condition'] === 'or' ? `${location}.matchers[${matchers.indexOf(first)}]` : null;
}

/** Warns about blocks that match any page, with the consequence and the fix. */
export function matchWarnings(
  blocks: readonly RequestBlock[],
  field: RequestsField,
  expressions: CompiledExpressions,
): string[] {
  return blocks.flatMap((block, blockIndex) => {
    const part = partWithoutContent(block, `${field}[${blockIndex}]`, expressions);
    return part === null
      ? []
      : [
          `check.http: ${part} can match without content that only the weakness shows. Retests then take the page of a firewall or a login for the weakness and say still_vulnerable. Add a word or regex matcher for that content, with "matchers-condition: and".`,
        ];
  });
}
