import { identifiersIn, mentions, readable, shows } from './private-values';

it.each([
  ['of ada@people.test.', 'ada@people.test', true],
  ['of &#97;da&#64;people.test', 'ada@people.test', true],
  ['{"mail":"ada\\u0040people.test"}', 'ada@people.test', true],
  ['{"file":"\\/home\\/ada"}', '/home/ada', true],
  ['of ada@people.tests', 'ada@people.test', false],
  ['number 21017', '1017', false],
  ['number 1017', '1017', true],
  ['number 10170 and 1017', '1017', true],
  ['INV-77310042', '77310042', true],
  ['', '1017', false],
])('in %j, %s is shown: %s', (text, value, isShown) => {
  expect(shows(readable(text), value)).toBe(isShown);
});

it.each([
  ['mailto:ada%40people.test', true],
  ['ADA@People.test', true],
  ['bada@people.tests', true],
  ['bob@people.test', false],
])('a page with %s mentions the address: %s', (text, isMentioned) => {
  expect(mentions(text, 'ada@people.test')).toBe(isMentioned);
});

it.each<[string, string, readonly string[]]>([
  ['<p>Invoice INV-77310042 for ada@people.test</p>', 'text/html', ['INV-77310042', 'ada@people.test']],
  ['<input name="mail" value="ada@people.test">', 'text/html', ['ada@people.test']],
  ['{"number":"INV-77310042","total":12,"id":123456789}', 'application/json', ['INV-77310042', '123456789']],
  // Pictures and files are for anyone, and times are the same for all.
  ['<img src="/avatars/7731004255.png"><link href="/main.8f3a2b1c44.css">', 'text/html', []],
  ['<script>var build = "77310042551";</script>', 'text/html', []],
  ['<p>2026-01-31 20260131 2026-01-31T12:00:00Z 1769860800 1769860800000 31-01-2026</p>', 'text/html', []],
  ['<p>Order 1017, 12.50, teapot, https://shop.test/orders/77310042551</p>', 'text/html', []],
])('%s', (text, type, identifiers) => {
  expect([...identifiersIn(text, type)].toSorted()).toEqual([...identifiers].toSorted());
});
