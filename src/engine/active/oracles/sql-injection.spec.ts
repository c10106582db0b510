import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlInjection } from '../../checks/sql-injection';
import { describeUnless } from '../../testing/describe-unless';
import type { RealServer } from '../../testing/real-server';
import { missingPhp, observeAt, startShop } from '../testing/injectable-shop';
import { observeApplication, pageWith } from '../testing/simulated-point';
import { sqlInjectionOracle } from './sql-injection';

describeUnless(missingPhp(), 'sql-injection at a PHP application on SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-shop-'));
  const file = join(folder, 'shop.db');
  let shop: RealServer;

  beforeAll(async () => {
    execFileSync('php', [
      '-r',
      `$d = new PDO('sqlite:${file}');
       $d->exec('CREATE TABLE items (id int PRIMARY KEY, name text, note text, touched int)');
       $d->exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO items SELECT i, 'item' || i, 'note' || i, 0 FROM n");`,
    ]);
    shop = await startShop([`sqlite:${file}`, null, null]);
  });
  afterAll(async () => {
    await shop.stop();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['/select/number', '5'],
    ['/select/list', '5'],
    ['/select/negative', '5'],
    ['/select/product', '5'],
    ['/select/quoted', 'item5'],
    ['/select/quoted-number', '5'],
    ['/select/quoted-list', 'item5'],
    ['/select/function', 'item5'],
    ['/select/nested', 'item5'],
    ['/select/like', 'item5'],
    ['/select/two', 'item5'],
    ['/select/not', 'item5'],
    ['/select/double-list', 'item5'],
    ['/select/order', 'name'],
    ['/select/order', '2'],
    ['/select/direction', 'desc'],
    ['/select/limit', '5'],
    ['/select/quoted', 'nothing'],
    ['/select/unmatched', 'nothing'],
    ['/select/number', '7777'],
    ['/select/number', '2012-10-05'],
    ['/select/number/error', '5'],
    ['/select/quoted/error', 'item5'],
    ['/select/quoted/silent', 'item5'],
    ['/select/like/silent', 'item5'],
    ['/select/quoted/echo', 'item5'],
    ['/select/quoted/noise', 'item5'],
    ['/select/number/noise', '5'],
    ['/update/quoted', 'item5'],
  ])('finds %s with the value %s', async (path, value) => {
    const seen = await observeAt(sqlInjection, shop.port, path, value);
    expect(seen).toEqual({ state: 'vulnerable', detail: expect.stringContaining('SQLite evaluates conditions') });
  });

  it.each([
    ['/fixed/number', '5'],
    ['/fixed/number/400', '5'],
    ['/fixed/number/404', '5'],
    ['/fixed/number/500', '5'],
    ['/fixed/quoted', 'item5'],
    ['/fixed/quoted/echo', 'item5'],
    ['/fixed/quoted/noise', 'item5'],
    ['/fixed/quoted', 'nothing'],
  ])('finds nothing at %s with the value %s', async (path, value) => {
    expect(await observeAt(sqlInjection, shop.port, path, value)).toMatchObject({ state: 'not_vulnerable' });
  });
});

it('learns a steady page from three answers each, and sends no false condition to a page that repeats invalid values', async () => {
  const { outcome, values } = await observeApplication(sqlInjectionOracle, (value) =>
    value === 'red' ? pageWith('Red') : { status: 500, body: `There is no ${value}` },
  );
  expect(outcome.state).toBe('sound');
  // The last request measures the response time.
  expect(values.filter((value) => value === 'red')).toHaveLength(4);
  expect(values.filter((value) => value === `red'")`)).toHaveLength(3);
  const conditions = values.flatMap(
    (value) => /CASE\((\d+)\*(\d+)\)WHEN\((\d+)\)/.exec(value)?.slice(1).map(Number) ?? [],
  );
  const isTrue = conditions.flatMap((one, at) =>
    at % 3 === 0 ? [one * (conditions[at + 1] ?? 0) === conditions[at + 2]] : [],
  );
  expect(isTrue.filter((one) => !one)).toEqual([]);
});
