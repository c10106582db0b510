const ZERO_WIDTH = '\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e';

/** Texts that may break a report, written with or without intent. */
export const HOSTILE_TEXTS = {
  typst: '#eval("1+1") #import "x.typ" #{panic("no")} $ x^2 $ @label <label> = heading \\u{41} /* */ // `raw` #[',
  markup: '<script>alert(1)</script><img src=x onerror=alert(1)> &amp; ]]> <!-- "\' -->',
  backticks: '``` ```` ` `` `#eval("2")` ~~~\n```typst\n#panic("in code")\n```\n`````',
  controls: 'a\u0000b\u0001\u0007\u001b[31mred\u007f\u0085c\u2028d\u2029e\ufffe\uffff',
  override: 'invoice\u202egpj.exe \u2066isolate\u2067other \u202dleft\u202bdeep',
  zeroWidth: `${ZERO_WIDTH}ze${ZERO_WIDTH}ro ${ZERO_WIDTH}width${ZERO_WIDTH}`,
  loneMarks: `\u0301 \u0e33\u0e33 \u064b\u064b ${'\u0300'.repeat(300)} x${'\u0489'.repeat(200)} e\u0301\u0327`,
  surrogates: 'half \ud83d here and \udc00 there',
  privateUse: 'private \ue000\uf8ff \u{f0000}\u{10ffff} unassigned \u0378 \u{e0041} Gothic \u{10330}',
  emoji: '👨‍👩‍👧‍👦 👍🏽 🇩🇪 1️⃣ ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🫨',
  arabic: 'ثغرة حقن في قاعدة البيانات: GET /orders?q=1 يعيد 500',
  hebrew: 'הזרקת SQL בחיפוש ההזמנות (CVE-2026-12345)',
  mixed: 'Latin then ثغرة then 漢字 then 한국어 then हिन्दी then ไทย then தமிழ் then বাংলা then Ελληνικά then Русский',
  word: 'W'.repeat(65_536),
  url: `https://example.com/${'a/very/long/path/'.repeat(100)}?q=${'%27'.repeat(400)}`,
  spaces: `${' '.repeat(5_000)}x${'\t'.repeat(500)}y${'\u00a0'.repeat(3_000)}z`,
  lines: '\n\n\n'.repeat(2_000).concat('end'),
  quotes: `${'>'.repeat(20)} deep\n\n${Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- level ${depth}`).join('\n')}`,
  emphasis: `${'*a '.repeat(800)}${'_b_ **c** '.repeat(800)}${'[x]('.repeat(300)}`,
  wideTable: table(100, 3),
  longTable: table(4, 400),
  tableOfWords: `|${'x'.repeat(500)}|b|\n|-|-|\n|${'y'.repeat(3_000)}|c|`,
  headings: '# One\n###### Six\n## Two\n#### Four\n# Again',
  links:
    '[js](javascript:alert(1)) [data](data:text/html,x) [file](file:///etc/passwd) [ok](https://example.com/?a=1&b=2) <https://example.com> ![alt](https://tracker.example/x.png) [long](https://example.com/' +
    `${'l'.repeat(9_000)})`,
  code: `\`\`\`http\nGET / HTTP/1.1\r\nX: ${'h'.repeat(4_000)}\r\n\r\n${'line\n'.repeat(600)}\`\`\``,
  blank: '   ',
};

function table(columns: number, rows: number): string {
  const row = (cell: (column: number) => string): string =>
    `|${Array.from({ length: columns }, (_, column) => cell(column)).join('|')}|`;
  return [
    row((column) => `column ${column}`),
    row(() => '-'),
    ...Array.from({ length: rows }, (_, at) => row((column) => `cell ${at}.${column}`)),
  ].join('\n');
}
