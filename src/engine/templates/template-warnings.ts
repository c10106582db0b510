import type { Page } from '../page';
import { Headers } from '../transport/headers';
import type { RequestBlock, Matcher } from './template-schema';
import type { CompiledExpressions } from './compile-expressions';
import { blocksThatRun, type CompiledTemplate } from './compiled-template';
import { withinExpression } from './expressions/parse-expression';
import { LONGEST_TIMEOUT_SECONDS } from './parse-raw-request';
import { EVENT_NAMES, TARGET_NAMES } from './placeholders';
import { placeText } from './template-problem';
import type { TemplateTexts } from './template-texts';
import { fieldText, PARTS } from './response-parts';

/** Short, because expressions are tested on it synchronously. */
const PAGE =
  '<!doctype html><html lang="en"><head><title>Error</title></head><body><h1>Access denied</h1></body></html>';

/** Typical responses of a firewall or a login. A matcher that accepts them does not show a weakness. */
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

/** Parts of a response that every page has. */
const WITHOUT_CONTENT = /^(?:status_code|content_length|duration)(?:_\d+)?$/;

const isOfTarget = (name: string): boolean => TARGET_NAMES.has(name) || EVENT_NAMES.has(name);

/** Whether an expression uses more than numbers that any page has. Its condition is not evaluated here. */
const namesContent = (sources: readonly string[], texts: TemplateTexts): boolean =>
  sources.some((source) =>
    [...withinExpression(texts.expression(source))].some(
      (one) => one.kind === 'name' && !WITHOUT_CONTENT.test(one.name) && !isOfTarget(texts.declared(one.name)),
    ),
  );

/** Whether a matcher requires content that unrelated pages do not have. */
function requiresContent(matcher: Matcher, expressions: CompiledExpressions, texts: TemplateTexts): boolean {
  if (matcher.type === 'status' || matcher.type === 'size' || matcher.negative) return false;
  if (matcher.type === 'binary') return true;
  if (matcher.type === 'dsl') return namesContent(matcher.dsl, texts);
  return !textsOf(matcher.part).some((text) => holdsIn(text, matcher, expressions));
}

/** Whether an extractor finds something in unrelated pages too, if there are no matchers. */
const extractsFromAnyPage = ({ extractors = [] }: RequestBlock, expressions: CompiledExpressions): boolean =>
  extractors.some((one) => {
    if (one.type === 'kval') return one.kval.some((field) => UNRELATED.some((page) => fieldText(page, field) !== ''));
    return (
      one.type === 'regex' &&
      one.regex.some((pattern) => textsOf(one.part).some((text) => expressions.get(pattern)?.occursIn(text) === true))
    );
  });

/** The part of a block that matches any content, or null. */
function partWithoutContent(block: RequestBlock, location: string, template: CompiledTemplate): string | null {
  const { matchers } = block;
  const { expressions, texts } = template;
  if (matchers === undefined) return extractsFromAnyPage(block, expressions) ? `${location}.extractors` : null;
  const without = matchers.filter((matcher) => !requiresContent(matcher, expressions, texts));
  const [first] = without;
  if (first === undefined) return null;
  if (without.length === matchers.length) return `${location}.matchers`;
  return block['matchers-condition'] === 'or' ? `${location}.matchers[${matchers.indexOf(first)}]` : null;
}

const matchesAnyPage = (part: string): string =>
  `check.http: ${part} can match without content that only the weakness shows. Retests then take the page of a firewall or a login for the weakness and say still_vulnerable. Add a word or regex matcher for that content, with "matchers-condition: and".`;

/** Warns about blocks that match any page and about reasons why requests are not sent, with the fix. */
export function templateWarnings(template: CompiledTemplate, unsafeMethods: readonly string[]): string[] {
  const parts = blocksThatRun(template)
    .filter(({ isReported }) => isReported)
    .flatMap(({ block, place }) => partWithoutContent(block, placeText(place), template) ?? []);
  const missing = [...new Set(template.missing.map(({ name }) => name))];
  return [
    ...parts.map(matchesAnyPage),
    ...(missing.length === 0
      ? []
      : [`check.http: it needs values for ${missing.join(', ')}. State them under "variables".`]),
    ...(template.slow.length === 0
      ? []
      : [
          `check.http: ${template.slow.map(placeText).join(', ')} may wait longer than ${LONGEST_TIMEOUT_SECONDS} seconds, the most that a request takes. Without a response until then the result is inconclusive.`,
        ]),
    ...(template.outOfBand.length === 0
      ? []
      : [
          `check.http: ${template.outOfBand.map(placeText).join(', ')} ${template.outOfBand.length === 1 ? 'is' : 'are'} not known without a server for out-of-band requests, which Assay does not have. Without a match the result is inconclusive, and never fixed.`,
        ]),
    ...(unsafeMethods.length === 0
      ? []
      : [
          `check.http: it sends ${unsafeMethods.join(', ')}, which may change state on the target. It only runs if an admin allows it for the finding (allow_unsafe).`,
        ]),
  ];
}
