import { sortedStatuses, repeat } from '../support/answers';
import { startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { useDnsServer } from '../support/dns-server';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { lockRows, expectWaitingForLocks } from '../support/row-locks';

const dns = useDnsServer();
/** Room and time for all twenty, who wait for each other in the database; one slot is left to other organizations. */
const settings = {
  get DNS_SERVERS() {
    return dns.settings.DNS_SERVERS;
  },
  DATABASE_POOL_SIZE: '25',
  DATABASE_TIMEOUT_MS: '30000',
  WORKER_CONCURRENCY: '21',
};
const api = useApi(settings);
const make = new Factories(api);

it('domains that are deleted exactly when their look-ups end stay deleted', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const added = await Promise.all(repeat(20, tenant.id).map((id) => make.domain(id)));
  const ids = added.map(({ id }) => id);
  const letGo = await lockRows('domains', ids);
  const deletions = Promise.all(ids.map((id) => client.delete(`/v1/organizations/${tenant.id}/domains/${id}`)));
  await expectWaitingForLocks(20);
  await query(
    `INSERT INTO work (kind, reference, organization_id) SELECT 'domain.lookup', id::text, $2 FROM unnest($1::int[]) id`,
    [ids, tenant.id],
  );
  const worker = await startWorker(settings);
  try {
    await expectWaitingForLocks(40);
    await letGo();
    expect(sortedStatuses(await deletions)).toEqual(repeat(20, 200));
    // None of them had to give way and do it again.
    await eventually(async () =>
      expect(
        await query(`SELECT 1 FROM audit_logs WHERE operation = 'domain.lookup' AND organization_id = $1`, [tenant.id]),
      ).toHaveLength(20),
    );
  } finally {
    await worker.stop();
  }
});
