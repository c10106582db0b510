import { contains, dateOf, eachPage, MAX_PAGES, PAGE_SIZE, pagesOf, textOf } from './protocol';

const full = Array.from({ length: PAGE_SIZE }, (_, index) => index);

it('reads pages until one is not full, or the last one that is wanted', async () => {
  const read = (page: number) => Promise.resolve(page < 3 ? full : [0]);
  const number = Number;
  expect(await pagesOf(read, number)).toHaveLength(2 * PAGE_SIZE + 1);
  expect(await pagesOf(read, number, (one) => one === 5)).toHaveLength(PAGE_SIZE);
});

it('keeps no more of a page than it has asked for, and does not read without end', async () => {
  const long = Array.from({ length: 300_000 }, () => ({}));
  const sizes: number[] = [];
  await eachPage(
    () => Promise.resolve(long),
    (items) => {
      sizes.push(items.length);
      return false;
    },
  );
  expect(sizes).toEqual(Array.from({ length: MAX_PAGES }, () => PAGE_SIZE));
});

it('finds a text in a document, and ends in one that is nested without end', () => {
  const nested = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}"a marker"${']'.repeat(depth)}`);
  expect(contains(nested(10), 'marker')).toBe(true);
  expect(contains(nested(100_000), 'marker')).toBe(false);
});

it('has only texts and times that the database keeps', () => {
  expect(textOf('bot\u0000\n\u202Ea\uD800')).toBe('bot\uFFFD\uFFFD\uFFFDa\uFFFD');
  expect(textOf(`${'x'.repeat(1_999)}\u{1F600}`)).toBe(`${'x'.repeat(1_999)}\uFFFD`);
  expect(dateOf('-100000-01-01T00:00:00Z').getTime()).toBe(0);
  expect(dateOf('+200000-01-01T00:00:00Z').getUTCFullYear()).toBe(9999);
});
