import { cpuMs } from '../../testing/cpu';
import { errorShownIn } from './error-page';

describe('an error that only developers should see', () => {
  it.each<[string, string, string]>([
    [
      'an error of SQLite in Python',
      'an error of SQLite',
      "<class 'sqlite3.OperationalError'>: unrecognized token: &quot;&#x27;&quot;",
    ],
    [
      'an error of MySQL',
      'an error of MySQL',
      "You have an error in your SQL syntax; check the manual that corresponds to your MariaDB server version for the right syntax to use near ''' at line 1",
    ],
    [
      'an error of PostgreSQL',
      'an error of PostgreSQL',
      'PG::SyntaxError: ERROR:  unterminated quoted string at or near "\'"',
    ],
    ['an error of PDO', 'an error of a database', 'SQLSTATE[42000]: Syntax error or access violation: 1064'],
    ['an error of Oracle', 'an error of Oracle', 'ORA-00933: SQL command not properly ended'],
    ['an error of SQL Server', 'an error of SQL Server', "Unclosed quotation mark after the character string ''."],
    [
      'a trace of Python',
      'a stack trace of Python',
      '<pre>Traceback (most recent call last):\n  File &quot;/srv/app/views.py&quot;, line 12, in search\nValueError: x</pre>',
    ],
    [
      'a trace of PHP',
      'a stack trace of PHP',
      'Uncaught TypeError: x in /srv/a.php:3\nStack trace:\n#0 /srv/index.php(12): find()\n#1 {main}',
    ],
    [
      'an error of PHP',
      'an error of PHP with its file',
      '<br />\n<b>Warning</b>:  include(): Failed opening in <b>/srv/www/index.php</b> on line <b>12</b><br />',
    ],
    [
      'a trace of Java',
      'a stack trace of Java',
      'java.lang.NullPointerException\n\tat com.shop.Search.find(Search.java:41)\n\tat com.shop.Main.run(Main.java:7)',
    ],
    [
      'a trace of Express',
      'a stack trace of Node.js',
      '<pre>Error: Unexpected path: /api/x<br> &nbsp; &nbsp;at /srv/shop/build/routes/angular.js:38:18<br> &nbsp; &nbsp;at Layer.handle [as handle_request] (/srv/shop/node_modules/express/lib/router/layer.js:95:5)</pre>',
    ],
    [
      'a trace of Ruby',
      'a stack trace of Ruby',
      "app.rb:12:in `find': undefined method (NoMethodError)\n\tfrom app.rb:30:in `block in <main>'",
    ],
    [
      'a trace of .NET',
      'a stack trace of .NET',
      ' at Shop.Search.Find(String term) in C:\\src\\Search.cs:line 41\n at Shop.Program.Main(String[] args) in C:\\src\\Program.cs:line 9',
    ],
    ['a trace of Go', 'a stack trace of Go', 'panic: runtime error\n\ngoroutine 41 [running]:\nmain.find()'],
  ])('is recognized in %s', (_name, what, body) => {
    expect(errorShownIn(`<html><body>${body}</body></html>`)).toBe(what);
  });

  it.each<[string, string]>([
    ['an error page without details', '<h1>500</h1><p>Something went wrong. Error 41.</p>'],
    [
      'an article that quotes the page of Django',
      'you have &lt;code&gt;DEBUG = True&lt;/code&gt; in the URLconf defined in x',
    ],
    ['one line of a trace in a text', '<p>The message is "at com.shop.Search.find(Search.java:41)".</p>'],
    ['an opening time', '<p>We meet at the market/hall:10:30 and look at 5:10:15.</p>'],
    [
      'an article that names an error',
      '<p>SQLSTATE is a code of five characters, and a Traceback is a list of calls.</p>',
    ],
  ])('is not %s', (_name, body) => {
    expect(errorShownIn(body)).toBeNull();
  });

  it.each(['at a/', 'at x.y(', 'at at/', '#0 x.php', 'at x() in x', '<b>Warning</b>: x in <b>', 'File "', '&#39;'])(
    'is looked for in bounded steps in a page of 5 MB that repeats %s',
    (part) => {
      const page = part.repeat(5_000_000 / part.length);
      errorShownIn(page);
      const times = [1, 2, 3, 4, 5].map(() => cpuMs(() => errorShownIn(page)));
      expect(Math.min(...times)).toBeLessThan(300);
    },
  );
});
