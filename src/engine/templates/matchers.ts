import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Page } from '../page';
import { redact } from '../transport/redaction';
import type { RequestBlock, Extractor, Matcher } from './template-schema';
import { fieldText, PARTS } from './response-parts';
import type { ResponseSearch } from './response-search';

type Kind = Matcher['type'];
type Test<K extends Kind> = (
  matcher: Extract<Matcher, { type: K }>,
  page: Page,
  search: ResponseSearch,
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

const sizeOf = (page: Page, part: string): number =>
  part === 'body' ? page.body.length : Buffer.byteLength(PARTS.of(page, part));

const TESTS: { readonly [K in Kind]: Test<K> } = {
  status: (matcher, page) => meetsCondition(matcher.condition, matcher.status, async (one) => one === page.status),
  size(matcher, page) {
    const size = sizeOf(page, matcher.part);
    return meetsCondition(matcher.condition, matcher.size, async (one) => one === size);
  },
  regex(matcher, page, search) {
    const text = PARTS.of(page, matcher.part);
    return meetsCondition(matcher.condition, matcher.regex, (one) => search.test(one, text));
  },
  async word(matcher, page, search) {
    const part = PARTS.of(page, matcher.part);
    if (!matcher['case-insensitive'])
      return meetsCondition(matcher.condition, matcher.words, (one) => search.includes(one, part));
    const text = await search.toLowerCase(part);
    return meetsCondition(matcher.condition, matcher.words, (one) => search.includes(one.toLowerCase(), text));
  },
};

async function matchesOne<K extends Kind>(
  matcher: Extract<Matcher, { type: K }>,
  page: Page,
  search: ResponseSearch,
): Promise<boolean> {
  // Yields, because each matcher assembles its part of the response again.
  await yieldToEventLoop();
  const test: Test<K> = TESTS[matcher.type];
  return (await test(matcher, page, search)) !== matcher.negative;
}

const LONGEST_VALUE = 200;

async function* valuesOf(one: Extractor, page: Page, search: ResponseSearch): AsyncGenerator<string> {
  if (one.type === 'kval') {
    for (const field of one.kval) yield fieldText(page, field);
    return;
  }
  for (const pattern of one.regex) yield await search.find(pattern, PARTS.of(page, one.part), one.group);
}

/** What the extractors find, as `name: value`. */
export async function extractValues(
  extractors: readonly Extractor[],
  page: Page,
  search: ResponseSearch,
): Promise<string[]> {
  const found: string[] = [];
  for (const one of extractors) {
    await yieldToEventLoop();
    for await (const value of valuesOf(one, page, search)) {
      // With its name, which says whether it is a secret; and here, where it ends before the sentence goes on.
      if (value !== '') found.push(redact(`${one.name ?? one.type}: ${value.slice(0, LONGEST_VALUE)}`));
    }
  }
  return found;
}

/** Whether the answer is what the block looks for; without matchers, whether there is anything to extract. */
export async function matches(block: RequestBlock, page: Page, search: ResponseSearch): Promise<boolean> {
  if (block.matchers === undefined) return (await extractValues(block.extractors ?? [], page, search)).length > 0;
  return meetsCondition(block['matchers-condition'], block.matchers, (one) => matchesOne(one, page, search));
}
