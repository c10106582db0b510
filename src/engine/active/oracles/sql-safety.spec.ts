import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlInjection } from '../../checks/sql-injection';
import { describeUnless } from '../../testing/describe-unless';
import { missingPhp, observeAt, startShop } from '../testing/injectable-shop';
import { condition } from './conditions';
import { SQL_DELAYS } from './sql-delays';
import { ALL_SQL_SYNTAXES, ENGINE_TERMS, SQL_GAP, valueWith } from './sql-syntaxes';

const VALUES = ['5', 'item5', 'name'];
const KINDS = ['query', 'segment', 'cookie'] as const;
const POINTS = VALUES.flatMap((value) => KINDS.map((kind) => ({ value, kind })));
const PAYLOADS = POINTS.flatMap(({ value, kind }) => [
  ...ALL_SQL_SYNTAXES.flatMap((syntax) =>
    ['', ...Object.values(ENGINE_TERMS)].flatMap((term) =>
      [true, false].map((isTrue) =>
        valueWith(syntax, { value, kind }, condition(isTrue), term).replaceAll(SQL_GAP, ' '),
      ),
    ),
  ),
  ...SQL_DELAYS.map((one) => one.write(value, '1.500')),
]);

describe('what is sent to find an SQL injection', () => {
  it('widens, cuts off and stacks nothing', () => {
    const widening = /\b(?:OR|XOR|UNION|LIKE|BETWEEN|NOT|IS|REGEXP|RLIKE)\b|--|;|#|\/\*|<>|!=|%(?!')/i;
    expect(PAYLOADS.filter((payload) => widening.test(payload))).toEqual([]);
    // MySQL reads it as OR, and cannot parse what follows here.
    const sign = /(?<=')\|\|(?=(?:CAST|TO_NCHAR|LEFT)\()|(?<=\))\|\|(?=')|'x'\|\|CAST\(/g;
    expect(PAYLOADS.filter((payload) => payload.replaceAll(sign, '').includes('||'))).toEqual([]);
  });

  it('makes no value unknown, with which `v IS NULL OR name = v` would be true for every row', () => {
    expect(PAYLOADS.filter((payload) => /\bNULL\b/i.test(payload.replace(/THEN\(NULL\)/, '')))).toEqual([]);
  });

  it('compares with what is true for every row only where an UPDATE cannot, or in what only PostgreSQL parses', () => {
    const always = PAYLOADS.filter((payload) => /(['"])[ab]%?\1=\1a/.test(payload));
    expect(always.length).toBeGreaterThan(0);
    expect(
      always.filter(
        (payload) => !/(?: HAVING CASE.+END| AND CASE.+END::int)=1 AND \(*(['"])[ab]%?\1=\1a$/.test(payload),
      ),
    ).toEqual([]);
    const others = PAYLOADS.filter((payload) => !always.includes(payload));
    expect(others.filter((payload) => /\bAND\b|<=/i.test(payload))).toEqual([]);
  });
});

// test/long has 100,000 rows in three databases.
describeUnless(missingPhp(), 'a search for an SQL injection', () => {
  it('touches no other row with an UPDATE', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-shop-'));
    const dsn = `sqlite:${join(folder, 'shop.db')}`;
    const php = (code: string): string => execFileSync('php', ['-r', `$d = new PDO('${dsn}'); ${code}`]).toString();
    php(`$d->exec('CREATE TABLE items (id int PRIMARY KEY, name text, note text, touched int)');
    $d->exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60) INSERT INTO items SELECT i, 'item' || i, 'note', 0 FROM n");`);
    const shop = await startShop([dsn, null, null]);
    for (const context of ['number', 'list', 'quoted', 'quoted-list', 'two'])
      await observeAt(sqlInjection, shop.port, `/update/${context}`, /number|^list/.test(context) ? '5' : 'item5');
    const touched = php(
      `echo json_encode($d->query('SELECT id FROM items WHERE touched > 0')->fetchAll(PDO::FETCH_COLUMN));`,
    );
    await shop.stop();
    rmSync(folder, { recursive: true });
    expect(JSON.parse(touched)).toEqual([5]);
  }, 60_000);
});
