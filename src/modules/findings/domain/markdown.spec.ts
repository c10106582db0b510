import { DomainError } from '../../../kernel/domain-error';
import * as fc from 'fast-check';
import { htmlOfMarkdown } from './markdown';

const REL = 'rel="noopener noreferrer nofollow"';

describe('htmlOfMarkdown', () => {
  it.each([
    [
      '# Title\n\ntext *em* **strong** ~~gone~~',
      '<h1>Title</h1>\n<p>text <em>em</em> <strong>strong</strong> <s>gone</s></p>\n',
    ],
    ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n'],
    ['3. c', '<ol start="3">\n<li>c</li>\n</ol>\n'],
    ['> said', '<blockquote>\n<p>said</p>\n</blockquote>\n'],
    ['`<b>`', '<p><code>&lt;b&gt;</code></p>\n'],
    ['```js\na && b\n```', '<pre><code class="language-js">a &amp;&amp; b\n</code></pre>\n'],
    ['a  \nb', '<p>a<br />\nb</p>\n'],
    ['[x](https://example.com/?a=1&b=2)', `<p><a href="https://example.com/?a=1&amp;b=2" ${REL}>x</a></p>\n`],
    ['<https://example.com>', `<p><a href="https://example.com" ${REL}>https://example.com</a></p>\n`],
    ['<a@example.com>', `<p><a href="mailto:a@example.com" ${REL}>a@example.com</a></p>\n`],
    [
      '|a|\n|:-:|\n|b|',
      '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>\n',
    ],
    ['', ''],
  ])('%j is %j', (text, html) => {
    expect(htmlOfMarkdown(text)).toBe(html);
  });

  it('turns an image into a link, and fetches nothing', () => {
    expect(htmlOfMarkdown('![alt](https://tracker.example/x.png)')).toBe(
      `<p>!<a href="https://tracker.example/x.png" ${REL}>alt</a></p>\n`,
    );
  });
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<a href="javascript:alert(1)">x</a>',
  '<style>@import "//evil.example"</style>',
  '<!-- <script> -->',
  '<![CDATA[<script>]]>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt:alert(1))',
  '[x](java&#10;script:alert(1))',
  '[x](java\tscript:alert(1))',
  '[x](&#106;avascript:alert(1))',
  '[x](&#x6A;avascript&colon;alert(1))',
  '[x](vbscript:msgbox(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](file:///etc/passwd)',
  '[x](//evil.example)',
  '[x](/settings/api)',
  '[x](#top)',
  '[x](\\\\evil.example)',
  '[x](http:evil.example)',
  '[x](https://example.com/"onmouseover="alert(1))',
  '[x](https://example.com "title\\" onclick=alert(1)")',
  '[x](<javascript:alert(1)>)',
  '<javascript:alert(1)>',
  '<https://example.com/"onclick=alert(1)>',
  '![x](javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '![x" onerror="alert(1)](https://example.com/x.png)',
  '[x]: javascript:alert(1)\n\n[x]',
  '```"><script>alert(1)</script>\nx\n```',
  '```js onclick=alert(1)\nx\n```',
  '`<script>`',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '|<script>|\n|-|\n|<img src=x>|',
  '# <script>',
  '\u202e<script>',
];

/** Everything that may stand between angle brackets in what we make. */
const SAFE_TAG = new RegExp(
  [
    '^</?(p|h[1-6]|blockquote|ul|ol|li|pre|code|strong|em|s|a|table|thead|tbody|tr|th|td)>$',
    '^<[bh]r />$',
    '^<ol start="\\d+">$',
    '^<code class="language-[^"<>]+">$',
    '^<a( href="(https?://|mailto:)[^"<>]*")? rel="noopener noreferrer nofollow">$',
  ].join('|'),
);

function expectSafe(html: string): void {
  const tags = html.match(/<[^>]*>?/g) ?? [];
  expect(tags.filter((tag) => !SAFE_TAG.test(tag))).toEqual([]);
}

describe('hostile Markdown', () => {
  it.each(HOSTILE)('%j makes safe tags alone', (text) => {
    expectSafe(htmlOfMarkdown(text));
  });

  it('makes safe tags alone however its parts are put together', () => {
    const part = fc.constantFrom(...HOSTILE, ...'[]()<>!*_`#|-\\"\'&;:\n\t '.split(''), 'a', 'http://', 'javascript:');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        expectSafe(htmlOfMarkdown(parts.join('')));
      }),
      { numRuns: 300 },
    );
  });

  const LENGTH = 65_536;
  const renderedOrRefused = (text: string): string => {
    try {
      return htmlOfMarkdown(text);
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'invalid') return '';
      throw error;
    }
  };
  const REFERENCE = `[a]: https://example.com/${'x'.repeat(30_000)}\n\n`;
  it.each([
    ...['[', '![', '*', '_*', '*_a', '> ', '- ', '`a', '&', '|', '<', '[a](b', '**a *b ', '1. ', '* a\n'].map(
      (text) => [`${text} over and over`, text.repeat(LENGTH)],
    ),
    ['brackets in brackets', '['.repeat(LENGTH / 2) + ']'.repeat(LENGTH / 2)],
    ['a table of a thousand columns', `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n${'|\n'.repeat(30_000)}`],
    ['a long reference, named often', REFERENCE + '[a]'.repeat(LENGTH)],
  ])('%s: is done soon, and stays small', (_, text) => {
    const started = performance.now();
    const html = renderedOrRefused(text.slice(0, LENGTH));
    // Two to four tenths of a second on a slow machine; what grows with the square takes a minute.
    expect(performance.now() - started).toBeLessThan(4000);
    expect(html.length).toBeLessThanOrEqual(4 * LENGTH);
  });
});

describe('what would cost everybody', () => {
  it.each([
    ['a table of too many columns', `${'a|'.repeat(101)}\n${'-|'.repeat(101)}\n`],
    ['control characters', 'a\u0000b'],
    ['a character that shows as none', 'a\u009bb'],
    ['quotes nested too deep', `${'>'.repeat(21)} a\n`],
    ['quotes nested too deep, with spaces', `${'> '.repeat(21)}a\n`],
    ['text that grows out of all proportion', '&'.repeat(60_000)],
    ['a table whose rows are filled up', `${'a|'.repeat(99)}\n${'-|'.repeat(99)}\n${'a\n'.repeat(30_000)}`],
  ])('is refused: %s', (_name, text) => {
    expect(() => htmlOfMarkdown(text)).toThrow(/^md /);
  });

  it('is not what people write', () => {
    const table = `${'a|'.repeat(20)}\n${'-|'.repeat(20)}\n${`${'cell|'.repeat(20)}\n`.repeat(100)}`;
    expect(htmlOfMarkdown(table)).toContain('<td>cell</td>');
    expect(htmlOfMarkdown(`> > > quoted\n\n${'A sentence with "quotes" & more. '.repeat(1_500)}`)).toContain(
      '<blockquote>',
    );
  });
});
