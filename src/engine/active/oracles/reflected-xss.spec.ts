import { type Application, observeApplication, pageWith } from '../testing/simulated-point';
import { reflectedXss } from './reflected-xss';

const quotesEscaped = (text: string): string => text.replaceAll('"', '&quot;').replaceAll("'", '&#39;');
const tagsEscaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const escaped = (text: string): string => quotesEscaped(tagsEscaped(text.replaceAll('&', '&amp;')));
const inString = (text: string): string => JSON.stringify(text).replaceAll('</', '<\\/');
const shown =
  (show: (value: string) => string): Application =>
  (value) =>
    pageWith(show(value));
const typed =
  (type: string, body: (value: string) => string, headers: Readonly<Record<string, string>> = {}): Application =>
  (value) => ({ headers: { 'content-type': type, ...headers }, body: body(value) });
const xhtml = (content: string): string => `<html xmlns="http://www.w3.org/1999/xhtml"><body>${content}</body></html>`;

const VULNERABLE: readonly (readonly [string, Application])[] = [
  ['text', shown((value) => `<p>${value}</p>`)],
  ['text without whole tags', shown((value) => `<p>${value.replaceAll(/<[^>]*>/g, '')}</p>`)],
  [
    'text that is decoded again behind the filter',
    shown((value) => `<p>${decodeURIComponent(tagsEscaped(value).replaceAll(/%(?![\da-f]{2})/gi, '%25'))}</p>`),
  ],
  ['an attribute of which tags are escaped', shown((value) => `<input value="${tagsEscaped(value)}">`)],
  ['an attribute in single quotes', shown((value) => `<input value='${tagsEscaped(value).replaceAll('"', '')}'>`)],
  ['an attribute without quotes', shown((value) => `<input value=${escaped(value)}>`)],
  ['the name of an attribute', shown((value) => `<input ${quotesEscaped(tagsEscaped(value))}>`)],
  ['a comment', shown((value) => `<!-- ${value} -->`)],
  ['a textarea', shown((value) => `<textarea>${value}</textarea>`)],
  ['a title', shown((value) => `<title>${value}</title>`)],
  ['a style', shown((value) => `<style>/* ${value} */</style>`)],
  ['an option', shown((value) => `<select><option>${value}</option></select>`)],
  ['a template', shown((value) => `<template><p>${value}</p></template>`)],
  ['code', shown((value) => `<script>var a = ${tagsEscaped(value)}</script>`)],
  ['a string of a script', shown((value) => `<script>var a = '${tagsEscaped(value)}'</script>`)],
  [
    'a string whose quotes get a backslash, and backslashes none',
    shown((value) => `<script>var a = "${tagsEscaped(value).replaceAll('"', '\\"')}"</script>`),
  ],
  ['a template of a script', shown((value) => `<script>var a = \`${tagsEscaped(value)}\`</script>`)],
  ['a comment of a script', shown((value) => `<script>/* ${tagsEscaped(value)} */ var a = 1</script>`)],
  ['a line comment of a script', shown((value) => `<script>// ${tagsEscaped(value)}\nvar a = 1</script>`)],
  [
    'a string of a script that only its element ends',
    shown((value) => `<script>var a = ${JSON.stringify(value)}</script>`),
  ],
  ['the script of an attribute', shown((value) => `<a onclick="find('${escaped(value)}')">x</a>`)],
  ['an address', shown((value) => `<a href="${escaped(value)}">x</a>`)],
  ['a page in an attribute', shown((value) => `<iframe srcdoc="${escaped(value)}"></iframe>`)],
  ['upper case', shown((value) => `<p>${value.toUpperCase()}</p>`)],
  ['text without its last character', shown((value) => `<p>${value.slice(0, -1)}</p>`)],
  ['an error', (value) => ({ status: 500, body: `<p>No such thing: ${value}</p>` })],
  ['XHTML', typed('application/xhtml+xml', (value) => xhtml(`<p>${value}</p>`))],
  ['an attribute of XHTML', typed('application/xhtml+xml', (value) => xhtml(`<p class="${tagsEscaped(value)}">x</p>`))],
  ['CDATA of XHTML', typed('application/xhtml+xml', (value) => xhtml(`<p><![CDATA[${value}]]></p>`))],
  ['SVG', typed('image/svg+xml', (value) => `<svg xmlns="http://www.w3.org/2000/svg"><text>${value}</text></svg>`)],
  ['a page without a type', typed('', (value) => `<!doctype html><p>${value}</p>`)],
];

let turn = 0;
const SOUND: readonly (readonly [string, Application])[] = [
  ['escaped text', shown((value) => `<p>${escaped(value)}</p>`)],
  ['an attribute whose quotes are escaped', shown((value) => `<input value="${value.replaceAll('"', '&quot;')}">`)],
  ['an attribute with other quotes', shown((value) => `<input value="${tagsEscaped(value.replaceAll('"', ''))}">`)],
  ['a string of a script', shown((value) => `<script>var a = ${inString(value)}</script>`)],
  ['a string in the script of an attribute', shown((value) => `<a onclick="find(${escaped(inString(value))})">x</a>`)],
  ['data of a script', shown((value) => `<script type="application/json">${inString(value)}</script>`)],
  ['an address behind a path', shown((value) => `<a href="/find?q=${escaped(value)}">x</a>`)],
  ['a comment that it cannot end', shown((value) => `<!-- ${value.replaceAll('-', '')} -->`)],
  [
    'an element named by its words',
    shown((value) => `<x-${value.replaceAll(/\W/g, '')}></x-${value.replaceAll(/\W/g, '')}>`),
  ],
  [
    'elements named by each of its words',
    shown((value) => (value.match(/\w+/g) ?? []).map((word) => `<${word}></${word}>`).join('')),
  ],
  [
    'variables named by each of its words',
    shown(
      (value) => `<script>find({ ${(value.match(/\w+/g) ?? []).map((word) => `${word}: 1`).join(', ')} })</script>`,
    ),
  ],
  ['JSON', typed('application/json', (value) => `{"found":"<p>${value}</p>"}`)],
  ['text', typed('text/plain', (value) => `<p>${value}</p>`)],
  [
    'a download',
    typed('text/html', (value) => `<p>${value}</p>`, { 'content-disposition': 'attachment; filename=a.html' }),
  ],
  [
    'a page without a type that must not be guessed',
    typed('', (value) => `<p>${value}</p>`, { 'x-content-type-options': 'nosniff' }),
  ],
  ['broken XML', typed('text/xml', (value) => `<a><b>${value}</a>`)],
  [
    'CDATA that it cannot end',
    typed('application/xhtml+xml', (value) => xhtml(`<p><![CDATA[${value.replaceAll(']]>', '')}]]></p>`)),
  ],
  ['a redirect', (value) => ({ status: 302, headers: { location: '/' }, body: `<p>${value}</p>` })],
  ['another page each time', () => pageWith(`<p>${Math.random()}</p><p>${(turn += 1)}</p>`)],
  ['a page of a cache', () => pageWith('<p>Results for <xbcdfg></xbcdfg></p>')],
];

describe('reflected XSS', () => {
  it.each(VULNERABLE)(
    'is proved when the value is repeated as %s, and repeated by its syntax alone',
    async (_what, application) => {
      const { outcome } = await observeApplication(reflectedXss, application);
      expect(outcome).toMatchObject({ state: 'proved', certainty: expect.stringContaining('20^9') });
      if (outcome.state !== 'proved') return;
      const again = await observeApplication(reflectedXss, application, { variant: outcome.variant, isRepeat: true });
      expect(again.outcome).toMatchObject({ state: 'proved', variant: outcome.variant });
      expect(again.values.length).toBeLessThanOrEqual(4);
    },
  );

  it.each(SOUND)('is sound when the value is repeated as %s', async (_what, application) => {
    const { outcome, unjudged } = await observeApplication(reflectedXss, application);
    expect(outcome.state).toBe('sound');
    expect(unjudged).toBe(0);
  });

  it('sends one request where nothing is repeated', async () => {
    const { outcome, values } = await observeApplication(reflectedXss, () => pageWith('Nothing found'));
    expect(outcome.state).toBe('sound');
    expect(values.length).toBe(1);
  });

  it('sends one request in the repeat of a fixed page', async () => {
    const fixed = shown((value) => `<p>${escaped(value)}</p>`);
    const { outcome, values } = await observeApplication(reflectedXss, fixed, { variant: '<@></@>', isRepeat: true });
    expect(outcome.state).toBe('sound');
    expect(values.length).toBe(1);
  });

  it('is disturbed when a firewall refuses markup', async () => {
    const { outcome } = await observeApplication(reflectedXss, (value) =>
      /[<"']/.test(value) ? { status: 403, body: 'Blocked' } : pageWith(`<p>${escaped(value)}</p>`),
    );
    expect(outcome).toEqual({ state: 'disturbed', reason: 'it is refused with 403' });
  });

  it('stops testing the point when three answers fail', async () => {
    const { outcome, values } = await observeApplication(reflectedXss, (value) =>
      /\W/.test(value)
        ? { status: 503, body: 'Error' }
        : pageWith(`<input value="${value}"><!-- ${value} --> ${value}`),
    );
    expect(outcome).toEqual({ state: 'disturbed', reason: 'it fails with 503' });
    expect(values.length).toBeLessThanOrEqual(5);
  });

  it('reads pages that are made to keep a parser busy in bounded time', async () => {
    const deep = '<div>'.repeat(60_000);
    const formatted = Array.from({ length: 20_000 }, (_, at) => `<b i${at}>`).join('');
    const mixed = `${Array.from({ length: 400 }, (_, at) => `<b i${at}>`).join('')}${'<p>x'.repeat(60_000)}`;
    for (const content of [deep, formatted, mixed, '<a>'.repeat(90_000), '<table>'.repeat(40_000)]) {
      const before = process.cpuUsage();
      await observeApplication(reflectedXss, (value) => pageWith(`<p>${escaped(value)}</p>${content}`));
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(3_000);
    }
  });
});
