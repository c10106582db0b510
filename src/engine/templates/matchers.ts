import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { evaluate } from './expressions/evaluate';
import type { Environment } from './expressions/function-table';
import { ExpressionError, ExpressionLimitExceeded } from './expressions/value';
import { type JudgedResponse, partOf } from './extract-values';
import type { RequestBlock, Matcher } from './template-schema';

type Kind = Matcher['type'];
type Test<K extends Kind> = (
  matcher: Extract<Matcher, { type: K }>,
  part: string,
  judged: JudgedResponse,
  environment: Environment,
) => Promise<boolean>;

async function meetsCondition<T>(
  condition: 'and' | 'or',
  items: readonly T[],
  matchesOne: (item: T) => Promise<boolean>,
): Promise<boolean> {
  const decisive = condition === 'or';
  for (const item of items) {
    if ((await matchesOne(item)) === decisive) return decisive;
  }
  return !decisive;
}

/** An expression without a value, such as one that names a later response, does not hold. */
async function holds(source: string, { texts }: JudgedResponse, environment: Environment): Promise<boolean> {
  try {
    return (await evaluate(texts.expression(source), environment)) === true;
  } catch (error) {
    if (!(error instanceof ExpressionError) || error instanceof ExpressionLimitExceeded) throw error;
    return false;
  }
}

const wordsIn = (words: readonly string[], { texts }: JudgedResponse, environment: Environment): Promise<string[]> =>
  Promise.all(words.map((word) => texts.template(word).fill(environment, true)));

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
    const words = await wordsIn(matcher.words, judged, environment);
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
  dsl: (matcher, _part, judged, environment) =>
    meetsCondition(matcher.condition, matcher.dsl, (one) => holds(one, judged, environment)),
};

async function matchesOne<K extends Kind>(
  matcher: Extract<Matcher, { type: K }>,
  judged: JudgedResponse,
  environment: Environment,
): Promise<boolean> {
  // Yields, because each matcher assembles its part of the response again.
  await yieldToEventLoop();
  const part = 'part' in matcher && matcher.type !== 'status' ? partOf(judged, matcher.part ?? 'body') : '';
  // A part of a response that is not there yet matches nothing, not even where the matcher is negative.
  if (part === undefined) return false;
  const test: Test<K> = TESTS[matcher.type];
  return (await test(matcher, part, judged, environment)) !== matcher.negative;
}

/** Whether the response is what the matchers look for. */
export const matches = (block: RequestBlock, judged: JudgedResponse, environment: Environment): Promise<boolean> =>
  meetsCondition(block['matchers-condition'], block.matchers ?? [], (one) => matchesOne(one, judged, environment));

/** Whether the time of a response is among what the block looks for. */
export const isTimed = ({ matchers = [] }: RequestBlock): boolean =>
  matchers.some(
    (matcher) => matcher.type === 'dsl' && matcher.dsl.some((source) => /\bduration(?:_\d+)?\b/.test(source)),
  );
