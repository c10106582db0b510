import { UnitOfWork } from '../../src/platform/audit/unit-of-work';
import { system } from '../../src/platform/api/caller';
import { everything } from '../../src/platform/api/scope';
import { Database } from '../../src/platform/database/database';
import { sql } from '../../src/platform/database/sql';
import { Transactions } from '../../src/platform/database/transactions';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories, type Tenant, unique } from '../support/factories';

const api = useApi();
const make = new Factories(api);

let tenant: Tenant;
let name: string;
beforeEach(async () => {
  tenant = await make.organization();
  name = unique('Renamed');
});

const rename = (): Promise<number> =>
  api.app.get(Database).change(sql`UPDATE organizations SET name = ${name} WHERE id = ${tenant.id}`);

/** Ignores the error of a failed statement, so that PostgreSQL answers COMMIT with ROLLBACK. */
const failUnnoticed = (): Promise<unknown> =>
  api.app
    .get(Database)
    .rows(sql`SELECT 1 / ${0}::int`)
    .catch(() => undefined);

const isRenamed = async (): Promise<boolean> =>
  (await query('SELECT 1 FROM organizations WHERE id = $1 AND name = $2', [tenant.id, name])).length === 1;

describe('a transaction', () => {
  it('whose COMMIT is answered with ROLLBACK fails, and its after-commit work does not run', async () => {
    const transactions = api.app.get(Transactions);
    let hasFollowed = false;
    const work = transactions.run(async () => {
      transactions.current()?.afterCommit(() => void (hasFollowed = true));
      await rename();
      await failUnnoticed();
    });
    await expect(work).rejects.toThrow('the transaction was rolled back: one of its statements had failed');
    expect([hasFollowed, await isRenamed()]).toEqual([false, false]);
  });

  it('that is committed runs its after-commit work', async () => {
    const transactions = api.app.get(Transactions);
    const seen: boolean[] = [];
    await transactions.run(async () => {
      transactions.current()?.afterCommit(async () => void seen.push(await isRenamed()));
      await rename();
      seen.push(await isRenamed());
    });
    expect(seen).toEqual([false, true]);
  });

  it('fails with the error of the statement that failed first, also for statements that were sent with it', async () => {
    const database = api.app.get(Database);
    const work = api.app.get(Transactions).run(async () => {
      const first = database.rows(sql`SELECT 1 / ${0}::int`).catch(() => undefined);
      await database.rows(sql`SELECT 1`);
      await first;
    });
    await expect(work).rejects.toThrow('division by zero');
  });

  it.each(['was committed', 'was rolled back'])('that %s refuses statements that come late', async (how) => {
    const transactions = api.app.get(Transactions);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let late: Promise<number> | undefined;
    const work = transactions.run(async () => {
      await api.app.get(Database).rows(sql`SELECT 1`);
      late = ended.then(rename);
      if (how === 'was rolled back') throw new Error('refused');
    });
    await work.catch(() => undefined);
    end();
    await expect(late).rejects.toThrow('the transaction has ended');
    expect(await isRenamed()).toBe(false);
  });
});

describe('a unit of work', () => {
  const description = () => ({
    actor: system,
    operation: 'test.rename',
    resourceType: 'organization' as const,
    resourceId: String(tenant.id),
    organizationId: tenant.id,
  });

  const entries = (): Promise<{ status: string }[]> =>
    query(`SELECT status FROM audit_logs WHERE operation = 'test.rename' AND resource_id = $1`, [String(tenant.id)]);

  it('rolls back a unit of work that does not check its condition', async () => {
    const unitOfWork = api.app.get(UnitOfWork);
    const work = unitOfWork.run(description(), everything('the test has no caller'), async () => {
      unitOfWork.setCondition(async () => undefined);
      await rename();
    });
    await expect(work).rejects.toThrow('the unit of work did not check its condition');
    expect([await isRenamed(), await entries()]).toEqual([false, []]);
  });

  it('commits its change and its audit entry together', async () => {
    await api.app.get(UnitOfWork).run(description(), everything('a test'), rename);
    expect([await isRenamed(), await entries()]).toEqual([true, [{ status: 'success' }]]);
  });

  it('commits neither if one of its statements failed and the error was ignored', async () => {
    const work = api.app.get(UnitOfWork).run(description(), everything('a test'), async () => {
      await rename();
      await failUnnoticed();
    });
    await expect(work).rejects.toThrow();
    expect([await isRenamed(), await entries()]).toEqual([false, []]);
  });

  it('has no effect if its audit entry cannot be written', async () => {
    const unwritable = { ...description(), resourceId: 'a\0b' };
    await expect(api.app.get(UnitOfWork).run(unwritable, everything('a test'), rename)).rejects.toThrow();
    expect([await isRenamed(), await entries()]).toEqual([false, []]);
  });
});

describe('a change whose transaction fails by a deadlock', () => {
  /** Beacons of this name fail this often, as the victims of deadlocks do. */
  async function failBeacons(named: string, times: number): Promise<void> {
    const sequence = `test_deadlocks_${times}`;
    await query(`CREATE SEQUENCE ${sequence}`);
    await query(`GRANT USAGE ON SEQUENCE ${sequence} TO PUBLIC`);
    await query(`CREATE FUNCTION ${sequence}_fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('${sequence}') <= ${times} THEN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END IF;
      RETURN NEW; END $$`);
    await query(`CREATE TRIGGER ${sequence} BEFORE INSERT ON beacons FOR EACH ROW
      WHEN (NEW.name = '${named}') EXECUTE FUNCTION ${sequence}_fail()`);
  }

  const create = async (named: string) => {
    const { client } = await tenant.as('admin');
    const path = `/v1/organizations/${tenant.id}/beacons/`;
    const answer = await client.post(
      path,
      { name: named, allowed_cidrs: ['10.1.0.0/16'] },
      { 'idempotency-key': named },
    );
    const log = await client.get(`/v1/audit-logs/?organization_id=${tenant.id}&operation=beacon.create`);
    const { body } = await client.get(path);
    return { answer, names: body.beacons.map((one: { name: string }) => one.name), entries: log.body.total };
  };

  it('begins again when it had to give way, and is stored once', async () => {
    await failBeacons('unlucky', 2);
    const { answer, names, entries } = await create('unlucky');
    expect([answer.status, names, entries]).toEqual([201, ['unlucky'], 1]);
  });

  it('is a 503 with Retry-After when it has to give way again and again, and its key is free', async () => {
    await failBeacons('hopeless', 4);
    const { answer, names, entries } = await create('hopeless');
    expect([answer.status, answer.headers.get('retry-after'), names, entries]).toEqual([503, '1', [], 0]);
    expect((await create('hopeless')).answer.status).toBe(201);
  });
});
