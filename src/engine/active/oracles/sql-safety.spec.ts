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
import { SELECTING } from './unknown-values';

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
    expect(PAYLOADS.filter((payload) => widening.test(payload.replace(SELECTING, '')))).toEqual([]);
    // MySQL reads it as OR, and cannot parse what follows here.
    const sign = /(?<=')\|\|(?=(?:CAST|TO_NCHAR|LEFT)\()|(?<=\))\|\|(?=')|'x'\|\|CAST\(/g;
    expect(PAYLOADS.filter((payload) => payload.replaceAll(sign, '').includes('||'))).toEqual([]);
  });

  it('writes no NULL, with which `v IS NULL OR name = v` would be true for every row', () => {
    expect(PAYLOADS.filter((payload) => /\bNULL\b/i.test(payload.replace(/THEN\(NULL\)/, '')))).toEqual([]);
  });

  it('makes a value unknown only where MariaDB or MySQL runs a SELECT that reads it as no other', () => {
    const unknown = PAYLOADS.filter((payload) => payload.includes('DIV 0'));
    expect(unknown.length).toBeGreaterThan(0);
    // The condition fails with 0 in its product, and the delay has only one case.
    const guarded = (payload: string): boolean =>
      /CASE\(\d+\*\d+\*\(SELECT/.test(payload) || payload.includes(`CASE(${SELECTING})WHEN(1)THEN`);
    expect(unknown.filter((payload) => !payload.includes(SELECTING) || !guarded(payload))).toEqual([]);
    const words = [...SELECTING.matchAll(/0x([\da-f]+)/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString());
    expect(words).toEqual(['select', expect.any(String)]);
    const unsafe = new RegExp(words[1] ?? '', 'i');
    for (const sql of ['x IS NULL', 'IFNULL(x, y)', 'COALESCE(x, y)', 'x <=> y', 'x IS UNKNOWN', 'SELECT 1 FOR UPDATE'])
      expect(sql).toMatch(unsafe);
    for (const sql of ['x LOCK IN SHARE MODE', 'x FOR\nSHARE', 'x IS NOT TRUE', 'x IS NOT FALSE', 'NOT (x IS TRUE)'])
      expect(sql).toMatch(unsafe);
    for (const sql of ['IF(x = y, 0, 1)', 'IF (x = y, 0, 1)', 'CASE WHEN x = y', 'CASE\n  WHEN x = y'])
      expect(sql).toMatch(unsafe);
    for (const sql of [
      "SELECT * FROM notifications WHERE id = 'x' AND shared = true",
      'SELECT 1 FROM cases ORDER BY a',
    ])
      expect(sql).not.toMatch(unsafe);
    // The patterns would match themselves.
    expect(unknown.filter((payload) => unsafe.test(payload.replace(/0x[\da-f]+/g, '')))).toEqual([]);
  });

  it('has nothing that lets a shell redirect or run what is between quotes', () => {
    expect(PAYLOADS.filter((payload) => /[<>&$`]/.test(payload))).toEqual([]);
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
    expect(others.filter((payload) => /\bAND\b|<=/i.test(payload.replace(SELECTING, '')))).toEqual([]);
  });
});

// test/long has 100,000 rows in three databases.
describeUnless(missingPhp(), 'a search for an SQL injection', () => {
  it('changes no other row with an UPDATE', async () => {
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
