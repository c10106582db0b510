import { DomainError } from '../../../kernel/domain-error';
import * as fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MarkdownRenderer, POOL } from './markdown-renderer';
import { HOSTILE_MARKDOWN } from '../../../kernel/testing/hostile-markdown';
import { ThreadPool } from '../../../kernel/thread-pool';

const renderer = new MarkdownRenderer();
afterAll(() => renderer.onApplicationShutdown());

const htmlOf = async (text: string): Promise<string> => (await renderer.render(text, 'a tenant')).html;

const REL = 'rel="noopener noreferrer nofollow"';

describe('the HTML of Markdown', () => {
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
  ])('%j is %j', async (text, html) => {
    expect(await htmlOf(text)).toBe(html);
  });

  it('turns an image into a link, and fetches nothing', async () => {
    expect(await htmlOf('![alt](https://tracker.example/x.png)')).toBe(
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

/** The tags and attributes that the HTML may contain. */
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
  it.each(HOSTILE)('%j produces only safe tags', async (text) => {
    expectSafe(await htmlOf(text));
  });

  it('produces only safe tags in any combination of its parts', async () => {
    const part = fc.constantFrom(...HOSTILE, ...'[]()<>!*_`#|-\\"\'&;:\n\t '.split(''), 'a', 'http://', 'javascript:');
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        expectSafe(await htmlOf(parts.join('')));
      }),
      { numRuns: 300 },
    );
  });
});

const LENGTH = 65_536;

/** Returns an empty text if the Markdown is refused. */
async function renderedOrRefused(text: string): Promise<string> {
  try {
    return await htmlOf(text);
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'invalid') return '';
    throw error;
  }
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The CPU time of all threads of this process: the lowest of several measurements. */
async function cpuMsOf(text: string): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const before = cpuMs();
    await renderedOrRefused(text);
    times.push(cpuMs() - before);
  }
  return Math.min(...times);
}

describe('a text that is designed to render slowly', () => {
  const reference = `[a]: https://example.com/${'x'.repeat(30_000)}\n\n`;
  const repeated = ['[', '![', '*', '_*', '*_a', '> ', '- ', '`a', '&', '|', '<', '[a](b', '**a *b ', '1. ', '* a\n'];
  it.each<[string, (length: number) => string]>([
    ...Object.entries(HOSTILE_MARKDOWN),
    ...repeated.map((unit): [string, (length: number) => string] => [
      `${unit} over and over`,
      (length) => unit.repeat(length / unit.length),
    ]),
    ['brackets in brackets', (length) => '['.repeat(length / 2) + ']'.repeat(length / 2)],
    [
      'a table of a thousand columns',
      (length) => `${'|a'.repeat(1000)}|\n${'|-'.repeat(1000)}|\n${'|\n'.repeat(length)}`,
    ],
    ['a long reference that is named often', (length) => reference + '[a]'.repeat(length)],
  ])('is rendered or refused in proportion to its length: %s', async (_name, text) => {
    const [short, long] = [text(LENGTH / 8).slice(0, LENGTH / 8), text(LENGTH).slice(0, LENGTH)];
    expect((await renderedOrRefused(long)).length).toBeLessThanOrEqual(4 * LENGTH);
    // The text is eight times as long. Quadratic rendering would take 64 times as long, which is several seconds.
    expect(await cpuMsOf(long)).toBeLessThan(20 * Math.max(25, await cpuMsOf(short)));
  });
});

/** Exhausts memory for the message "memory", and CPU time for any other. */
const GREEDY = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ text }) => {
    const all = [];
    for (;;) if (text === 'memory') all.push(new Array(10_000).fill(all.length));
  });
  parentPort.postMessage('ready');
`;

describe('a text that exceeds the limits', () => {
  it.each([
    [
      'a table of too many columns',
      `${'a|'.repeat(101)}\n${'-|'.repeat(101)}\n`,
      'md has a table with more than 100 columns',
    ],
    ['text whose HTML is many times as long', '&'.repeat(60_000), 'md renders to more than 262144 characters of HTML'],
    [
      'a table whose rows are filled up',
      `${'a|'.repeat(99)}\n${'-|'.repeat(99)}\n${'a\n'.repeat(30_000)}`,
      'md renders to more than 262144 characters of HTML',
    ],
  ])('is refused with the field name and advice: %s', async (_name, text, sentence) => {
    const patient = new MarkdownRenderer(new ThreadPool({ ...POOL, milliseconds: 60_000 }));
    await expect(patient.render(text, 'a tenant')).rejects.toThrow(sentence);
    await patient.onApplicationShutdown();
  });

  it.each([
    ['time', 'md takes too long to render: shorten it'],
    ['memory', 'md takes too much memory to render: shorten it'],
  ] as const)('is refused with the field name and advice when it exceeds its %s limit', async (text, sentence) => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-markdown-'));
    const program = join(folder, 'greedy.cjs');
    writeFileSync(program, GREEDY);
    const milliseconds = text === 'memory' ? 60_000 : 1_000;
    const limits = { threads: 1, milliseconds, megabytes: 16, maxQueued: 1, maxQueuedPerTenant: 1 };
    const greedy = new MarkdownRenderer(new ThreadPool({ program, ...limits }));
    try {
      const refused = { kind: 'invalid', message: expect.stringContaining(sentence) };
      await expect(greedy.render(text, 'a tenant')).rejects.toMatchObject(refused);
    } finally {
      await greedy.onApplicationShutdown();
      rmSync(folder, { recursive: true });
    }
  });

  it('does not include ordinary long tables and quotes', async () => {
    const table = `${'a|'.repeat(20)}\n${'-|'.repeat(20)}\n${`${'cell|'.repeat(20)}\n`.repeat(100)}`;
    expect(await htmlOf(table)).toContain('<td>cell</td>');
    expect(await htmlOf(`> > > quoted\n\n${'A sentence with "quotes" & more. '.repeat(1_500)}`)).toContain(
      '<blockquote>',
    );
  });
});
