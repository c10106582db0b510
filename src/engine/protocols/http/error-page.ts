import { decodedEntities } from '../../entities';

interface ErrorPage {
  readonly what: string;
  /** Texts that occur together only on such a page. */
  readonly marks: readonly (string | RegExp)[];
}

/** Debug pages of frameworks, stack traces and database errors, as users of an application see them. */
const PAGES: readonly ErrorPage[] = [
  {
    what: 'the page of Django with DEBUG = True',
    marks: ['you have <code>DEBUG = True</code>', 'the URLconf defined in'],
  },
  { what: 'the page of Django with DEBUG = True', marks: ['you have <code>DEBUG = True</code>', 'Request Method:'] },
  { what: 'the page of Rails in development', marks: ['Routing Error', 'Rails.root: '] },
  { what: 'the page of Rails in development', marks: ['Rails.root: ', 'Application Trace'] },
  { what: 'the page of Symfony in development', marks: ['No route found for', 'Symfony Exception'] },
  { what: 'the page of Phoenix in development', marks: ['Phoenix.Router.NoRouteError', 'no route found for'] },
  { what: 'the page of Express in development', marks: ['NotFoundError: Not Found', 'node_modules/'] },
  { what: 'the page of Spring with stack traces', marks: ['"trace":"org.springframework.', '"status":404'] },
  { what: 'the page of ASP.NET without custom errors', marks: ["Server Error in '", '.NET Framework Version:'] },
  { what: 'the page of Laravel in debug mode', marks: ['"exception":', '"trace":', /"file": ?"[^"]{1,300}\.php"/] },
  {
    what: 'an error of SQLite',
    marks: [/\bsqlite3\.(?:Operational|Programming|Integrity)Error\b|\bSQLITE_ERROR: |\bSQLite3::SQLException: /],
  },
  {
    what: 'an error of MySQL',
    marks: [/You have an error in your SQL syntax; check the manual that corresponds to your (?:MySQL|MariaDB) server/],
  },
  {
    what: 'an error of PostgreSQL',
    marks: [
      /\bPG::[A-Z][A-Za-z]{1,40}: ERROR: |\bPSQLException: ERROR: |\bpg_(?:query|exec)\(\): Query failed: ERROR: |\bpsycopg2?\.errors\./,
    ],
  },
  {
    what: 'an error of SQL Server',
    marks: [/Unclosed quotation mark after the character string|\bSqlException \(0x80131904\)/],
  },
  { what: 'an error of Oracle', marks: [/\bORA-\d{5}: [a-zA-Z]/] },
  { what: 'an error of a database', marks: [/\bSQLSTATE\[\w{5}\](?:: | \[)|\bSequelizeDatabaseError: /] },
  { what: 'a stack trace of Python', marks: ['Traceback (most recent call last)', /File "[^"\n]{1,300}", line \d/] },
  { what: 'a stack trace of PHP', marks: ['Stack trace:', /#0 (?:(?!#0 )[^\n<]){1,300}(?:\.php\(\d+\)|\{main\})/] },
  {
    what: 'an error of PHP with its file',
    marks: [
      ' in <b>',
      ' on line <b>',
      /<b>(?:Fatal error|Parse error|Warning|Notice|Deprecated)<\/b>: [^\n]{1,500} in <b>[^<\n]{1,300}<\/b> on line <b>\d/,
    ],
  },
  { what: 'a stack trace of Go', marks: [/\bgoroutine \d+ \[running\]:/] },
];

/** Lines of stack traces. A single line may be a quotation; a trace has several. */
const FRAMES: readonly (readonly [language: string, frame: RegExp])[] = [
  ['Java', /\bat [\w$.]{1,200}\([\w$]{1,100}\.(?:java|kt|scala|groovy):\d+\)/g],
  ['Node.js', /[\w-]\.[cm]?[jt]sx?:\d+:\d+\b|\bnode:internal\/[\w/]{1,60}:\d+:\d+\b/g],
  ['Ruby', /\.rb:\d+:in [`']/g],
  ['.NET', /\bat [\w.`]{1,200}\([^\n)]{0,100}\) in [^\n]{1,150}:line \d/g],
];
const LEAST_FRAMES = 2;

const LOOKED_AT = 50_000;

/** The kind of developer error that a page shows, or null. */
export function errorShownIn(page: string): string | null {
  const start = page.slice(0, LOOKED_AT);
  const text = decodedEntities(start);
  // A text with tags belongs to the page itself. An article that quotes it contains character references instead.
  const contains = (mark: string | RegExp): boolean =>
    typeof mark === 'string' ? start.includes(mark) : mark.test(text);
  const known = PAGES.find(({ marks }) => marks.every(contains));
  if (known !== undefined) return known.what;
  const trace = FRAMES.find(([, frame]) => (text.match(frame)?.length ?? 0) >= LEAST_FRAMES);
  return trace === undefined ? null : `a stack trace of ${trace[0]}`;
}
