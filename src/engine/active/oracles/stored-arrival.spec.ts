import { Headers } from '../../transport/headers';
import type { Page } from '../../page';
import { SeededRandom } from '../../testing/seeded-random';
import { type Arrival, arrivalOf, newMark, storedMarkup } from './stored-arrival';

const pageOf = (text: string, type = 'text/html'): Page => ({
  url: 'http://site.test/',
  status: 200,
  headers: new Headers([['content-type', type]]),
  body: Buffer.from(text),
  text,
  tls: null,
  hops: [],
});

type Show = (value: string, random: SeededRandom) => string;

const ENTITIES: readonly Show[] = [
  (value) => value.replaceAll('<', '&lt;'),
  (value) => value.replaceAll('<', '&#60;').replaceAll('>', '&#62;'),
  (value) => value.replaceAll('<', '\\u003c'),
  (value) => encodeURIComponent(value),
  (value) => value.replaceAll(/<[^>]*>/g, ''),
  (value) => value.replaceAll('<', '< '),
  (value) => `<${value.replaceAll(/[<>"=]/g, '').replaceAll(' ', '')}>`,
];
const INSIDE: readonly Show[] = [
  (value) => `<!-- ${value} -->`,
  (value) => `<textarea>${value}</textarea>`,
  (value) => `<title>${value}</title>`,
  (value) => `<script>var a = ${JSON.stringify(value)}</script>`,
  (value) => `<style>a::before { content: '${value}' }</style>`,
  (value) => `<template>${value}</template>`,
  (value) => `<noscript>${value}</noscript>`,
  (value) => `<iframe>${value}</iframe>`,
  (value) => `<input value='${value}'>`,
  (value) => `<a title='${value}'>x</a>`,
];
const HANDLERS: readonly Show[] = [
  (value) => value.replaceAll(' onclick=""', ''),
  (value) => value.replaceAll('onclick', 'data-onclick'),
  (value) => value.replaceAll('onclick=""', 'onclick="return false"'),
  (value) => value.replaceAll('onclick', 'x'),
];
const PLANTED: readonly Show[] = [
  (value) => value,
  (value) => value.toUpperCase(),
  (value) => value.replaceAll('"', "'"),
  (value) => value.replaceAll('=""', ''),
  (value) => `<td><b>${value}</b></td>`,
  (value) => value.replaceAll(/<\/[^>]*>/g, ''),
];

const noise = (random: SeededRandom): string =>
  Array.from({ length: random.below(3) }, () =>
    random.pick<Show>([...ENTITIES, ...INSIDE, ...PLANTED])(
      random.below(2) === 0 ? storedMarkup(newMark()) : '<p>Hello</p>',
      random,
    ),
  ).join('\n');

/** The arrivals of two fresh marks in a page that has noise around them, of which the weaker counts. */
function arrivals(show: Show, random: SeededRandom): Arrival[] {
  return [newMark(), newMark()].map((mark) => {
    const [before, after] = [noise(random), noise(random)];
    return arrivalOf(pageOf(`<!doctype html>${before}${show(storedMarkup(mark), random)}${after}`), mark);
  });
}

it('sees no element in 3,000 pairs of pages that make a value harmless', () => {
  const random = new SeededRandom(83);
  for (let at = 0; at < 3_000; at += 1)
    for (const arrival of arrivals(random.pick([...ENTITIES, ...INSIDE]), random))
      expect(['nothing', 'hidden', 'text']).toContain(arrival);
});

it('sees no handler in 1,000 pairs of pages that remove it', () => {
  const random = new SeededRandom(89);
  for (let at = 0; at < 1_000; at += 1) expect(arrivals(random.pick(HANDLERS), random)).toEqual(['element', 'element']);
});

it('sees 95 % of 1,000 planted pairs', () => {
  const random = new SeededRandom(97);
  let found = 0;
  for (let at = 0; at < 1_000; at += 1)
    found += Number(arrivals(random.pick(PLANTED), random).every((arrival) => arrival === 'attribute'));
  expect(found).toBeGreaterThanOrEqual(950);
});

it.each(['application/json', 'text/plain', 'text/css'])('reads no element in %s', (type) => {
  const mark = newMark();
  expect(arrivalOf(pageOf(storedMarkup(mark), type), mark)).toBe('hidden');
});

it('reads no element where a long page ends what it reads, because that may be within a comment', () => {
  const mark = newMark();
  const links = '<a href="/">x</a>'.repeat(3_000);
  expect(arrivalOf(pageOf(`<!-- ${links}<a href="/">x</a>${storedMarkup(mark)} -->`), mark)).toBe('hidden');
});

it('does not take the element of another mark for its own', () => {
  const [mark, other] = [newMark(), newMark()];
  expect(arrivalOf(pageOf(`${storedMarkup(other)} ${mark}`), mark)).toBe('text');
});
