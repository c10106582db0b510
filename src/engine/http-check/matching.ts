import type { Page } from '../page';
import type { Block, Extractor, Matcher } from './definition';
import { fieldText, PARTS } from './parts';
import type { Search } from './search';

type Kind = Matcher['type'];
type Test<K extends Kind> = (matcher: Extract<Matcher, { type: K }>, page: Page, search: Search) => Promise<boolean>;

async function met<T>(
  condition: 'and' | 'or',
  items: readonly T[],
  holds: (item: T) => Promise<boolean>,
): Promise<boolean> {
  const decisive = condition === 'or';
  for (const item of items) {
    if ((await holds(item)) === decisive) return decisive;
  }
  return !decisive;
}

const sizeOf = (page: Page, part: string): number =>
  part === 'body' ? page.body.length : Buffer.byteLength(PARTS.of(page, part));

const TESTS: { readonly [K in Kind]: Test<K> } = {
  status: (matcher, page) => met(matcher.condition, matcher.status, async (one) => one === page.status),
  size: (matcher, page) => met(matcher.condition, matcher.size, async (one) => one === sizeOf(page, matcher.part)),
  regex(matcher, page, search) {
    const text = PARTS.of(page, matcher.part);
    return met(matcher.condition, matcher.regex, (one) => search.tests(one, text));
  },
  word(matcher, page, search) {
    const folded = (text: string): string => (matcher['case-insensitive'] ? text.toLowerCase() : text);
    const text = folded(PARTS.of(page, matcher.part));
    return met(matcher.condition, matcher.words, (one) => search.includes(folded(one), text));
  },
};

async function holds<K extends Kind>(
  matcher: Extract<Matcher, { type: K }>,
  page: Page,
  search: Search,
): Promise<boolean> {
  const test: Test<K> = TESTS[matcher.type];
  return (await test(matcher, page, search)) !== matcher.negative;
}

const LONGEST_VALUE = 200;

async function* valuesOf(one: Extractor, page: Page, search: Search): AsyncGenerator<string> {
  if (one.type === 'kval') {
    for (const field of one.kval) yield fieldText(page, field);
    return;
  }
  for (const pattern of one.regex) yield await search.finds(pattern, PARTS.of(page, one.part), one.group);
}

/** What the extractors find, as `name: value`. */
export async function extracted(extractors: readonly Extractor[], page: Page, search: Search): Promise<string[]> {
  const found: string[] = [];
  for (const one of extractors) {
    for await (const value of valuesOf(one, page, search)) {
      if (value !== '') found.push(`${one.name ?? one.type}: ${value.slice(0, LONGEST_VALUE)}`);
    }
  }
  return found;
}

/** Whether the answer is what the block looks for; without matchers, whether there is anything to extract. */
export async function matches(block: Block, page: Page, search: Search): Promise<boolean> {
  if (block.matchers === undefined) return (await extracted(block.extractors ?? [], page, search)).length > 0;
  return met(block['matchers-condition'], block.matchers, (one) => holds(one, page, search));
}
