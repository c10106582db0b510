import type { Page } from '../page';
import { turnsDuring } from '../testing/turns';
import { Headers } from '../transport/headers';
import type { RequestBlock, Matcher } from './template-schema';
import { matches } from './matchers';
import type { Environment } from './expressions/function-table';
import { WorkBudget } from './expressions/work-budget';
import { ResponseSearch } from './response-search';
import { TemplateTexts } from './template-texts';

const text = 'é'.repeat(2_500_000);
const page: Page = {
  url: 'https://a.test/',
  status: 200,
  headers: new Headers([]),
  body: Buffer.from(text),
  text,
  tls: null,
  hops: [],
};

const common = { negative: false, internal: false, condition: 'or', part: 'all' } as const;
const numbers = Array.from({ length: 50 }, (_, size) => size);
const words = Array.from({ length: 5 }, (_, at) => `${'é'.repeat(490 + at)}a${'é'.repeat(500 - at)}`);

it.each<[string, Matcher]>([
  ['sizes', { ...common, type: 'size', size: numbers }],
  ['words', { ...common, type: 'word', words, 'case-insensitive': false }],
  ['words in any case', { ...common, type: 'word', words, 'case-insensitive': true }],
])('matchers for %s yield to the event loop', async (_what, matcher) => {
  const block: RequestBlock = {
    method: 'GET',
    path: [],
    headers: {},
    redirects: false,
    'host-redirects': false,
    'max-redirects': 0,
    attack: 'batteringram',
    'stop-at-first-match': false,
    'skip-variables-check': false,
    'disable-path-automerge': false,
    'disable-cookie': false,
    'matchers-condition': 'or',
    matchers: [matcher, matcher, matcher],
  };
  const search = new ResponseSearch(new Map());
  const environment: Environment = {
    lookup: () => undefined,
    search,
    work: new WorkBudget(),
    randomBelow: () => 0,
    now: new Date(),
  };
  let isMet: boolean | null | undefined;
  const turns = await turnsDuring(async () => {
    isMet = await matches(block, { page, responses: new Map(), search, texts: new TemplateTexts() }, environment);
  });
  expect(isMet).toBe(false);
  expect(turns).toBeGreaterThanOrEqual(3);
});
