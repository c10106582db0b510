import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Page } from '../page';
import { evaluate } from './expressions/evaluate';
import type { Environment } from './expressions/function-table';
import { ExpressionError, ExpressionLimitExceeded, textFromBytes } from './expressions/value';
import { type JudgedResponse, partOf } from './extract-values';
import { type Expression, withinExpression } from './expressions/parse-expression';
import { isOutOfBandExpression, type Known } from './out-of-band';
import { isOutOfBandPart, PARTS } from './response-parts';
import type { RequestBlock, Matcher } from './template-schema';

type WordMatcher = Extract<Matcher, { type: 'word' }>;
const IS_HEX = /^(?:[\da-f]{2})+$/i;

type Kind = Matcher['type'];
type Test<K extends Kind> = (
  matcher: Extract<Matcher, { type: K }>,
  part: string,
  judged: JudgedResponse,
  environment: Environment,
) => Promise<Known>;

/** Three-valued: null is unknown. */
async function meetsCondition<T>(
  condition: 'and' | 'or',
  items: readonly T[],
  matchesOne: (item: T) => Promise<Known>,
): Promise<Known> {
  const decisive = condition === 'or';
  let result: Known = !decisive;
  for (const item of items) {
    const one = await matchesOne(item);
    if (one === decisive) return decisive;
    if (one === null) result = null;
  }
  return result;
}

/** An expression without a value, such as one that refers to a later response, is false. */
async function holds(expression: Expression, environment: Environment): Promise<boolean> {
  try {
    return (await evaluate(expression, environment)) === true;
  } catch (error) {
    if (!(error instanceof ExpressionError) || error instanceof ExpressionLimitExceeded) throw error;
    return false;
  }
}

/** Conditions on out-of-band requests are unknown, and so is everything that depends on them. */
async function knownExpression(expression: Expression, environment: Environment): Promise<Known> {
  if (!isOutOfBandExpression(expression)) return holds(expression, environment);
  if (expression.kind !== 'binary' || (expression.operator !== '&&' && expression.operator !== '||')) return null;
  return meetsCondition(expression.operator === '&&' ? 'and' : 'or', [expression.left, expression.right], (side) =>
    knownExpression(side, environment),
  );
}

/** Words as hexadecimal digits are decoded, and contain no expressions. */
async function wordsIn(
  { words, encoding }: WordMatcher,
  { texts }: JudgedResponse,
  environment: Environment,
): Promise<string[]> {
  const filled: string[] = [];
  // One after the other, so that the event loop gets its turns.
  for (const word of words)
    filled.push(
      encoding === 'hex' && IS_HEX.test(word)
        ? textFromBytes(Buffer.from(word, 'hex'))
        : await texts.template(word).fill(environment, true),
    );
  return filled;
}

const TESTS: { readonly [K in Kind]: Test<K> } = {
  status: (matcher, _part, { page }) =>
    meetsCondition(matcher.condition, matcher.status, async (one) => one === page.status),
  size(matcher, part, { page }) {
    const size = matcher.part === 'body' ? page.body.length : Buffer.byteLength(part);
    return meetsCondition(matcher.condition, matcher.size, async (one) => one === size);
  },
  regex: (matcher, part, { search }) =>
    meetsCondition(matcher.condition, matcher.regex, (one) => search.matches(one, part)),
  async word(matcher, part, judged, environment) {
    const { search } = judged;
    const words = await wordsIn(matcher, judged, environment);
    if (!matcher['case-insensitive'])
      return meetsCondition(matcher.condition, words, (one) => search.includes(one, part));
    const text = await search.toLowerCase(part);
    return meetsCondition(matcher.condition, words, (one) => search.includes(one.toLowerCase(), text));
  },
  binary(matcher, _part, { page, search }) {
    const bytes = page.body.toString('latin1');
    const wanted = matcher.binary.map((one) => Buffer.from(one, 'hex').toString('latin1'));
    return meetsCondition(matcher.condition, wanted, (one) => search.includes(one, bytes));
  },
  dsl: (matcher, _part, { texts }, environment) =>
    meetsCondition(matcher.condition, matcher.dsl, (one) => knownExpression(texts.expression(one), environment)),
};

async function matchesOne<K extends Kind>(
  matcher: Extract<Matcher, { type: K }>,
  judged: JudgedResponse,
  environment: Environment,
): Promise<Known> {
  // Yields, because each matcher builds its part of the response again.
  await yieldToEventLoop();
  if ('part' in matcher && isOutOfBandPart(matcher.part ?? '')) return null;
  const part = 'part' in matcher && matcher.type !== 'status' ? partOf(judged, matcher.part ?? 'body') : '';
  // A part of a response that was not received yet matches nothing, not even a negative matcher.
  if (part === undefined) return false;
  const test: Test<K> = TESTS[matcher.type];
  const result = await test(matcher, part, judged, environment);
  return result === null ? null : result !== matcher.negative;
}

/** Whether the response matches. */
export const matches = (block: RequestBlock, judged: JudgedResponse, environment: Environment): Promise<Known> =>
  meetsCondition(block['matchers-condition'], block.matchers ?? [], (one) => matchesOne(one, judged, environment));

const WITH_BODY = new Set(['body', 'all', 'response']);

/** Whether the matcher looks for content, as far as that is visible: an expression that does not use the body does not. */
function looksAtBody(matcher: Matcher, { texts }: JudgedResponse): boolean {
  if (matcher.negative) return false;
  if (matcher.type === 'dsl')
    return matcher.dsl.some((source) =>
      [...withinExpression(texts.expression(source))].some((one) => one.kind === 'name' && WITH_BODY.has(one.name)),
    );
  const isText = matcher.type === 'word' || matcher.type === 'regex';
  return matcher.type === 'binary' || (isText && WITH_BODY.has(PARTS.named(matcher.part).name));
}

/** Whether the response contains the content that the matchers look for, and only its status does not match. */
export async function matchesButForStatus(
  block: RequestBlock,
  judged: JudgedResponse,
  environment: Environment,
): Promise<boolean> {
  const { matchers = [], 'matchers-condition': condition } = block;
  const others = matchers.filter(({ type }) => type !== 'status');
  if (condition === 'or' || others.length === matchers.length) return false;
  if (!others.some((one) => looksAtBody(one, judged))) return false;
  return (await matches({ ...block, matchers: others }, judged, environment)) === true;
}

/** The numbers of the responses whose duration a matcher compares; null is the evaluated response. */
function timesIn(matcher: Matcher, { texts }: JudgedResponse): (number | null)[] {
  const expressions =
    matcher.type === 'dsl' ? matcher.dsl.flatMap((source) => [...withinExpression(texts.expression(source))]) : [];
  return expressions.flatMap((one) => {
    const [whole, number] = one.kind === 'name' ? (/^duration(?:_([1-9]\d?))?$/.exec(one.name) ?? []) : [];
    return whole === undefined ? [] : [number === undefined ? null : Number(number)];
  });
}

/** The responses whose duration shows the weakness; none if matchers that do not compare a duration match as well. */
export async function timedResponses(
  block: RequestBlock,
  judged: JudgedResponse,
  environment: Environment,
): Promise<readonly Page[]> {
  const { matchers = [], 'matchers-condition': condition } = block;
  const others = matchers.filter((one) => timesIn(one, judged).length === 0);
  const isShownOtherwise =
    condition === 'or' &&
    others.length > 0 &&
    (await matches({ ...block, matchers: others }, judged, environment)) === true;
  if (isShownOtherwise) return [];
  const numbers = matchers.flatMap((one) => timesIn(one, judged));
  return numbers.flatMap((number) => (number === null ? judged.page : (judged.responses.get(number) ?? [])));
}
