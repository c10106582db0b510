import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  missingPhp,
  observeAt,
  queryPoint,
  type ShopDatabase,
  startShop,
} from '../../src/engine/active/testing/injectable-shop';
import { ALL_SQL_SYNTAXES, valueWith } from '../../src/engine/active/oracles/sql-syntaxes';
import { SQL_DELAYS } from '../../src/engine/active/oracles/sql-delays';
import { condition } from '../../src/engine/active/oracles/conditions';
import { sqlInjection } from '../../src/engine/checks/sql-injection';
import { describeUnless } from '../../src/engine/testing/describe-unless';
import type { RealServer } from '../../src/engine/testing/real-server';
import { DATABASE, TemporaryMariadb } from '../real/temporary-mariadb';
import { emptyDatabase } from '../support/database';

const ROWS = 100_000;
const folder = mkdtempSync(join(tmpdir(), 'assay-sql-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Engine {
  readonly name: string;
  readonly missing: string | null;
  /** SELECT of the numbers from 1. */
  readonly numbers: string;
  open(): Promise<ShopDatabase>;
  close?(): Promise<void>;
}

const recursive = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) SELECT i FROM n`;
let mariadb: TemporaryMariadb | null = null;

const ENGINES: readonly Engine[] = [
  {
    name: 'SQLite',
    missing: null,
    numbers: recursive,
    open: () => Promise.resolve([`sqlite:${join(folder, 'shop.db')}`, null, null]),
  },
  {
    name: 'PostgreSQL',
    missing: null,
    numbers: recursive,
    open: async () => {
      const url = new URL((await emptyDatabase()).replace('@/', '@localhost/'));
      const host = url.searchParams.get('host') ?? url.hostname;
      const port = url.searchParams.get('port') ?? (url.port === '' ? '5432' : url.port);
      const dsn = `pgsql:host=${host};port=${port};dbname=${url.pathname.slice(1)}`;
      return [dsn, decodeURIComponent(url.username), decodeURIComponent(url.password)];
    },
  },
  {
    name: 'MariaDB',
    missing: TemporaryMariadb.missing,
    numbers: `SELECT seq FROM seq_1_to_${ROWS}`,
    open: async () => {
      mariadb = await TemporaryMariadb.start();
      return [`mysql:host=127.0.0.1;port=${mariadb.port};dbname=${DATABASE}`, DATABASE, DATABASE];
    },
    close: async () => mariadb?.stop(),
  },
];

const NUMBERS = ['number', 'list', 'negative', 'product', 'quoted-number'];
const NAMES = ['quoted', 'quoted-list', 'function', 'argument', 'coalesce', 'nested', 'like', 'suffix'];
NAMES.push('unselected', 'two', 'not');

/** Nothing shows that the database is SQLite. */
const isHidden = ({ name }: Engine, context: string): boolean => name === 'SQLite' && context === 'suffix';

/** All contexts on one database. */
function testEngine(engine: Engine): void {
  const log = join(folder, `${engine.name}.log`);
  let shop: RealServer;
  let database: ShopDatabase;

  const php = (code: string): string =>
    execFileSync('php', ['-r', `$d = new PDO(...json_decode($argv[1])); ${code}`, '--', JSON.stringify(database)], {
      encoding: 'utf8',
    });
  const ask = (sql: string): unknown =>
    JSON.parse(php(`echo json_encode($d->query("${sql}")->fetchAll(PDO::FETCH_NUM));`));
  const fill = (): string => {
    const name = engine.name === 'MariaDB' ? "concat('item', i)" : "'item' || i";
    return php(`$d->exec("DROP TABLE IF EXISTS items");
      $d->exec("CREATE TABLE items (id int PRIMARY KEY, name varchar(50), note varchar(50), touched int)");
      $d->exec("INSERT INTO items SELECT i, ${name}, 'a note', 0 FROM (${engine.numbers.replace('seq ', 'seq AS i ')}) AS numbers");
      $d->exec("CREATE INDEX items_by_name ON items (name)");`);
  };

  beforeAll(async () => {
    database = await engine.open();
    fill();
    writeFileSync(log, '');
    shop = await startShop(database, log);
  });
  afterAll(async () => {
    await shop.stop();
    await engine.close?.();
  });

  it.each([
    ...NUMBERS.map((context) => [`/select/${context}`, '5']),
    ...NAMES.filter((context) => !isHidden(engine, context)).map((context) => [`/select/${context}`, 'item5']),
    ['/select/order', 'name'],
    ['/select/direction', 'desc'],
    ['/select/quoted', 'nothing'],
    ['/select/unmatched', 'nothing'],
    ['/select/number/error', '5'],
    ['/select/quoted/error', 'item5'],
    ['/select/quoted/silent', 'item5'],
    ['/select/quoted/noise', 'item5'],
  ])('finds %s with the value %s, and names the engine', async (path, value) => {
    expect(await observeAt(sqlInjection, shop.port, path, value)).toEqual({
      state: 'vulnerable',
      detail: expect.stringContaining(engine.name),
    });
  });

  // SQLite cannot wait.
  (engine.name === 'SQLite' ? it.skip : it).each(['number', 'quoted', 'function', 'argument', 'like'])(
    'finds %s by delays where nothing else can be seen',
    async (context) => {
      const seen = await observeAt(
        sqlInjection,
        shop.port,
        `/select/${context}/blind`,
        context === 'number' ? '5' : 'item5',
      );
      expect(seen.state).toBe('vulnerable');
    },
  );

  it.each(['/fixed/number', '/fixed/quoted', '/fixed/number/500', '/fixed/quoted/noise'])(
    'finds nothing at %s',
    async (path) => {
      const value = path.includes('number') ? '5' : 'item5';
      expect(await observeAt(sqlInjection, shop.port, path, value)).toMatchObject({ state: 'not_vulnerable' });
    },
  );

  const cases = [...NUMBERS.map((one) => [one, '5'] as const), ...NAMES.map((one) => [one, 'item5'] as const)];

  it.each(cases)('touches no other row of 100,000 with an UPDATE where it is in %s', async (context, value) => {
    // The value of LIKE is in other names too.
    php("$d->exec('UPDATE items SET touched = 0');");
    for (const page of ['list', 'silent', 'error'])
      await observeAt(sqlInjection, shop.port, `/update/${context}/${page}`, value);
    for (const sent of everyPayload(value))
      await fetch(`http://127.0.0.1:${shop.port}${queryPoint(`/update/${context}`, sent).request.path}`);
    const like = context === 'like' ? " AND name NOT LIKE '%item5%'" : '';
    expect(ask(`SELECT id FROM items WHERE touched > 0 AND id <> 5${like}`)).toEqual([]);
  });

  it('deletes no other row of 100,000 with a DELETE', async () => {
    for (const [context, value] of cases.filter(([one]) => one !== 'like')) {
      // Delays, which take minutes, are shown with an UPDATE in each context.
      for (const page of context === 'quoted' ? ['list', 'silent', 'error'] : ['list', 'error'])
        await observeAt(sqlInjection, shop.port, `/delete/${context}/${page}`, value);
      for (const sent of everyPayload(value))
        await fetch(`http://127.0.0.1:${shop.port}${queryPoint(`/delete/${context}`, sent).request.path}`);
    }
    expect(Number((ask('SELECT count(*) FROM items') as string[][])[0]?.[0])).toBe(ROWS - 1);
  });

  it('sends no statement that widens, cuts off or stacks anything', () => {
    const statements = readFileSync(log, 'utf8').split('\n');
    expect(statements.length).toBeGreaterThan(1_000);
    // The application has one OR of its own.
    const own = statements.map((one) => one.replace(/ OR note = /g, ' '));
    expect(own.filter((one) => /\bOR\b|\bUNION\b|\bLIKE '%%|--|;|#|\/\*|\bXOR\b/i.test(one))).toEqual([]);
  });
}

for (const engine of ENGINES)
  describeUnless(missingPhp() ?? engine.missing, `sql-injection on ${engine.name}`, () => testEngine(engine));

/** All syntaxes with all conditions, and with a delay that 100,000 rows would make one of minutes. */
const everyPayload = (value: string): readonly string[] => [
  ...ALL_SQL_SYNTAXES.filter(({ fits }) => fits(value)).flatMap((syntax) =>
    [true, false].map((isTrue) => valueWith(syntax, { value, kind: 'query' }, condition(isTrue))),
  ),
  ...SQL_DELAYS.filter(({ fits }) => fits?.(value) !== false).map((one) => one.write(value, '0.010')),
];
