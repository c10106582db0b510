import { compileSource } from './compile-source';

const templateOf = (id: string): string =>
  `id: ${id}\ninfo: {name: a}\nhttp:\n  - path: ["{{BaseURL}}"]\n    matchers: [{type: word, words: [a]}]`;

describe('a compiled template', () => {
  it.each([
    ['a template', templateOf('read-again')],
    ['what is no template', 'id: read-again'],
    ['what is no YAML', 'id: ['],
  ])('is remembered, also for %s', (_what, source) => {
    expect(compileSource(source, 'loaded')).toBe(compileSource(`${source.slice(0, 4)}${source.slice(4)}`, 'loaded'));
  });

  it('is another one for each origin, because a request may state less', () => {
    const source = templateOf('of-two-origins');
    expect(compileSource(source, 'loaded')).not.toBe(compileSource(source, 'stated'));
  });

  it('is forgotten after fifty others', () => {
    const first = compileSource(templateOf('first'), 'loaded');
    for (let at = 0; at < 50; at += 1) compileSource(templateOf(`other-${at}`), 'loaded');
    expect(compileSource(templateOf('first'), 'loaded')).not.toBe(first);
  });
});
