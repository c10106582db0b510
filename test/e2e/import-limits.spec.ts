import { useApi, useWorker } from '../support/api';
import type { Client } from '../support/client';
import { query } from '../support/database';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { imported, whenOver } from '../support/imports';
import { withLimit } from '../support/stored-limits';

const api = useApi();
useWorker();
const make = new Factories(api);

interface Fixture {
  readonly organizationId: number;
  readonly client: Client;
  readonly path: string;
  readonly host: string;
}

async function fixture(): Promise<Fixture> {
  const tenant = await make.organization();
  const { value: host } = await make.asset(tenant.id);
  const { client } = await tenant.as('member');
  return { organizationId: tenant.id, client, host, path: `/v1/organizations/${tenant.id}/imports` };
}

/** A file in the generic format of DefectDojo. A number in it is refused, because it is no finding. */
const file = (findings: readonly unknown[]): Blob =>
  new Blob([`{"findings":[\n${findings.map((one) => JSON.stringify(one)).join(',\n')}\n]}`], {
    type: 'application/json',
  });

const ones = (count: number): number[] => Array.from({ length: count }, () => 1);

const weaknesses = (host: string, count: number, prefix = 'Weakness') =>
  Array.from({ length: count }, (_, number) => ({
    title: `${prefix} ${number}`,
    severity: 'Low',
    endpoints: [`https://${host}/${number}`],
  }));

async function storedRowsOf(id: number): Promise<number> {
  const [row] = await query<{ rows: number }>('SELECT count(*)::int AS rows FROM import_rows WHERE import_id = $1', [
    id,
  ]);
  return row?.rows ?? 0;
}

describe('the refused rows of an import', () => {
  it.each(['', '?dry_run=true'])(
    'are all counted, and the first 1,000 stored with their lines (%s)',
    async (parameters) => {
      const at = await fixture();
      const content = file([...weaknesses(at.host, 2), ...ones(1_205), ...weaknesses(at.host, 3, 'Later')]);
      const body = await imported(at, content, parameters);
      expect(body).toMatchObject({
        status: 'FINISHED',
        rows_done: 1_210,
        rows: { new: 5, refused: 1_205 },
        refused_not_stored: 205,
        rows_removed: null,
      });
      expect(body.summary).toContain('1,205 refused, 205 of them not listed.');
      expect(await storedRowsOf(body.id)).toBe(1_005);
      const { rows } = (await at.client.get(`/v1/imports/${body.id}/rows?result=refused&per_page=2`)).body;
      expect(rows).toMatchObject([
        { number: 3, line: 4, reason: expect.any(String) },
        { number: 4, line: 5 },
      ]);
      const [last] = (await at.client.get(`/v1/imports/${body.id}/rows?result=new&per_page=1&page=5`)).body.rows;
      expect(last).toMatchObject({ number: 1_210, line: 1_211, title: 'Later 2' });
    },
  );

  it('are counted once if the worker is lost', async () => {
    const at = await fixture();
    const answer = await at.client.post(at.path, file(ones(6_000)));
    const { id } = answer.body;
    await eventually(async () => {
      const [row] = await query<{ done: number }>('SELECT rows_done AS done FROM imports WHERE id = $1', [id]);
      expect(row?.done).toBeGreaterThanOrEqual(300);
    });
    await query(
      `UPDATE work SET attempt = attempt + 1, lease_until = now() - interval '1 second'
       WHERE kind = 'import.run' AND reference = $1 AND state = 'running'`,
      [String(id)],
    );
    expect(await whenOver(at.client, id)).toMatchObject({ rows_done: 6_000, rows: { refused: 6_000 } });
    expect(await storedRowsOf(id)).toBe(1_000);
  });

  it('stop an import when there are more than 100,000, and keep what it imported', async () => {
    const at = await fixture();
    const { body } = await at.client.post(at.path, file([...weaknesses(at.host, 2), ...ones(3_000)]));
    await eventually(async () => {
      const [row] = await query<{ done: number }>('SELECT rows_done AS done FROM imports WHERE id = $1', [body.id]);
      expect(row?.done).toBeGreaterThan(0);
    });
    await query('UPDATE imports SET rows_refused = 99950 WHERE id = $1', [body.id]);
    const over = await whenOver(at.client, body.id);
    expect(over).toMatchObject({ status: 'ERROR', rows: { new: 2 } });
    expect(over.rows_done).toBeLessThan(3_000);
    expect(over.error).toMatch(
      /^More than 100,000 rows were refused, so the import stopped at line \d+\. The first of them say why\./,
    );
  });

  it('stop an import again if its worker was lost before it recorded the end', async () => {
    const at = await fixture();
    const { body } = await at.client.post(at.path, file(ones(3_000)));
    await query('UPDATE imports SET rows_refused = 100001 WHERE id = $1', [body.id]);
    expect(await whenOver(at.client, body.id)).toMatchObject({ status: 'ERROR' });
    const [row] = await query<{ done: number }>('SELECT rows_done AS done FROM imports WHERE id = $1', [body.id]);
    expect(row?.done).toBeLessThan(3_000);
  });
});

describe('the rows of the imports of an organization', () => {
  it('have a limit: the oldest imports lose their rows, keep their counts, and cannot be undone', async () => {
    const [at, other] = [await fixture(), await fixture()];
    await withLimit('import_rows', 50, async () => {
      const first = await imported(at, file(weaknesses(at.host, 30, 'First')));
      // It is on other hosts, so that no finding is missing from it.
      const { value: secondHost } = await make.asset(at.organizationId);
      const second = await imported(at, file(weaknesses(secondHost, 15)));
      expect(await storedRowsOf(first.id)).toBe(30);
      const { value: thirdHost } = await make.asset(at.organizationId);
      const third = await imported(at, file(weaknesses(thirdHost, 20)));
      expect(third).toMatchObject({ status: 'FINISHED', rows: { new: 20 }, rows_removed: null });
      expect(await Promise.all([first, second, third].map(({ id }) => storedRowsOf(id)))).toEqual([0, 15, 20]);
      const { body } = await at.client.get(`/v1/imports/${first.id}`);
      expect(body).toMatchObject({ status: 'FINISHED', rows: { new: 30 }, rows_removed: expect.any(String) });
      const refused = await at.client.post(`/v1/imports/${first.id}/undo`);
      expect(refused.status).toBe(409);
      expect(refused.body.description).toBe(
        'Rows that undoing this import needs were removed, because an organization stores the rows of its newest imports only. Close the findings of the import in bulk instead.',
      );
      expect((await at.client.post(`/v1/imports/${third.id}/undo`)).status).toBe(202);
      await whenOver(at.client, third.id);
      expect(await imported(other, file(weaknesses(other.host, 30)))).toMatchObject({ rows: { new: 30 } });
    });
    const entries = await query<object>(
      `SELECT metadata FROM audit_logs WHERE operation = 'import.remove_rows' AND organization_id = $1`,
      [at.organizationId],
    );
    expect(entries).toEqual([{ metadata: { removed: 30 } }]);
  });

  it('stop an import that exceeds the limit alone', async () => {
    const at = await fixture();
    await withLimit('import_rows', 250, async () => {
      const body = await imported(at, file(weaknesses(at.host, 400)));
      expect(body).toMatchObject({
        status: 'ERROR',
        rows: { new: 200 },
        error:
          'This organization has 250 rows of imports that have not ended, which is the limit. Import the file again when the others have ended.',
      });
    });
  });

  it('of an import that ran at the same time are needed to undo another', async () => {
    const at = await fixture();
    const [one, other] = [
      await imported(at, file(weaknesses(at.host, 3))),
      await imported(at, file(weaknesses(at.host, 3, 'Other'))),
    ];
    await query('UPDATE imports SET rows_removed = now() WHERE id = $1', [other.id]);
    expect((await at.client.post(`/v1/imports/${one.id}/undo`)).status).toBe(409);
    await query('UPDATE imports SET rows_removed = NULL WHERE id = $1', [other.id]);
    expect((await at.client.post(`/v1/imports/${one.id}/undo`)).status).toBe(202);
    expect(await whenOver(at.client, one.id)).toMatchObject({ status: 'UNDONE', removed: 3 });
  });
});

it('an import of an organization that has reached the limit of findings ends with the reason, and keeps what it imported', async () => {
  const [at, other] = [await fixture(), await fixture()];
  await withLimit('findings', 150, async () => {
    const body = await imported(at, file(weaknesses(at.host, 400)));
    expect(body).toMatchObject({
      status: 'ERROR',
      error: 'This organization has 150 findings, which is the limit. Undo imports that you no longer need.',
      rows: { new: 100 },
    });
    expect(await imported(other, file(weaknesses(other.host, 100)))).toMatchObject({ status: 'FINISHED' });
    // Results of findings that exist still count.
    expect(await imported(at, file(weaknesses(at.host, 90)))).toMatchObject({ status: 'FINISHED' });
  });
});
