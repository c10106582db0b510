import { HOSTILE_TEXTS } from '../testing/hostile-texts';
import { FontFallback } from './font-fallback';
import { blocksOf } from './markdown-blocks';
import type { Block } from './markdown-tree';

const blocks = (text: string): readonly Block[] => blocksOf(text, new FontFallback());

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

describe('blocksOf', () => {
  it.each<[string, Block[]]>([
    [
      'a *b* **c** ~~d~~ `e`',
      [
        {
          t: 'p',
          c: [
            'a ',
            { t: 'em', c: ['b'] },
            ' ',
            { t: 'strong', c: ['c'] },
            ' ',
            { t: 's', c: ['d'] },
            ' ',
            { t: 'code', s: 'e' },
          ],
        },
      ],
    ],
    ['a\nb  \nc', [{ t: 'p', c: ['a', ' ', 'b', { t: 'br' }, 'c'] }]],
    ['- a\n- b', [{ t: 'ul', items: [[{ t: 'p', c: ['a'] }], [{ t: 'p', c: ['b'] }]] }]],
    ['3. c', [{ t: 'ol', start: 3, items: [[{ t: 'p', c: ['c'] }]] }]],
    ['> said\n\n---', [{ t: 'quote', b: [{ t: 'p', c: ['said'] }] }, { t: 'hr' }]],
    ['```js\n#a\n  b\n```', [{ t: 'code', s: '#a\n  b' }]],
    ['<b>x</b>', [{ t: 'p', c: ['<b>x</b>'] }]],
    [
      '|a|b|\n|-|-|\n|c||',
      [
        {
          t: 'table',
          widths: [14, 14],
          head: [{ c: ['a'] }, { c: ['b'] }],
          rows: [[{ c: ['c'] }, { c: [] }]],
        },
      ],
    ],
    [
      'نص\n\n- نص',
      [
        { t: 'p', c: ['نص'], r: true },
        { t: 'ul', items: [[{ t: 'p', c: ['نص'], r: true }]], r: true },
      ],
    ],
  ])('%j', (text, expected) => {
    expect(blocks(text)).toEqual(expected);
  });

  it('keeps web and mail links, and replaces images with links', () => {
    const [paragraph] = blocks(HOSTILE_TEXTS.links);
    const text = JSON.stringify(paragraph);
    expect([...text.matchAll(/"u":"([^"]{0,60})/g)].map(([, address]) => address)).toEqual([
      'https://example.com/?a=1&b=2',
      'https://example.com',
      'https://tracker.example/x.png',
    ]);
    expect(text).toContain('Image: alt');
  });

  it('skips no heading level, and makes headings inside other blocks bold text', () => {
    const levels = blocks(HOSTILE_TEXTS.headings).map((block) => (block.t === 'h' ? block.n : block.t));
    expect(levels).toEqual([4, 5, 5, 6, 4]);
    expect(blocks('> # x')).toEqual([{ t: 'quote', b: [{ t: 'title', c: ['x'] }] }]);
  });

  it('writes a table that is too wide as records, each cell with its column name', () => {
    const [records] = blocks('|a|b|c|d|e|f|\n|-|-|-|-|-|-|\n|1||3|4|5|6|');
    expect(records).toMatchObject({ t: 'records' });
    expect(records?.t === 'records' && records.rows[0]?.map(([name, value]) => [name.c[0], value.c[0]])).toEqual([
      ['a', '1'],
      ['c', '3'],
      ['d', '4'],
      ['e', '5'],
      ['f', '6'],
    ]);
    expect(blocks('|a|b|c|d|e|f|\n|-|-|-|-|-|-|')).toMatchObject([{ t: 'records', rows: [[{}, {}, {}, {}, {}, {}]] }]);
  });

  it.each(Object.entries(HOSTILE_TEXTS))(
    'limits the nesting of hostile texts and keeps their words: %s',
    (name, text) => {
      const tree = blocks(text);
      expect(depthOf(tree)).toBeLessThan(40);
      if (name === 'quotes') expect(JSON.stringify(tree)).toContain('level 59');
    },
  );

  it.each([
    ['more than 20 quotes', `${'>'.repeat(21)} a`],
    ['quotes that take long to read', '>#\na\n'.repeat(10_000)],
  ])('shows a text that is too costly to be read as it was written: %s', (_name, text) => {
    expect(blocks(text)).toMatchObject([{ t: 'code' }]);
  });
});
