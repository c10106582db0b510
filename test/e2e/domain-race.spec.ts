import { sortedStatuses, repeat } from '../support/answers';
import { startWorker, useApi } from '../support/api';
import { query } from '../support/database';
import { useDnsServer } from '../support/dns-server';
import { eventually } from '../support/eventually';
import { Factories } from '../support/factories';
import { lockRows, expectWaitingForLocks } from '../support/row-locks';

const dns = useDnsServer();
/** Enough connections and time for twenty transactions that wait for each other. One of the 21 slots stays free for other organizations. */
const settings = {
  get DNS_SERVERS() {
    return dns.settings.DNS_SERVERS;
  },
  DATABASE_POOL_SIZE: '25',
  WORKER_CONCURRENCY: '21',
};
const api = useApi(settings);
const make = new Factories(api);

it('domains that are deleted exactly when their lookups end stay deleted', async () => {
  const tenant = await make.organization();
  const { client } = await tenant.as('admin');
  const added = await Promise.all(repeat(20, tenant.id).map((id) => make.domain(id)));
  const ids = added.map(({ id }) => id);
  const release = await lockRows('domains', ids);
  const deletions = Promise.all(ids.map((id) => client.delete(`/v1/organizations/${tenant.id}/domains/${id}`)));
  await expectWaitingForLocks(20);
  await query(
    `INSERT INTO work (kind, reference, organization_id) SELECT 'domain.lookup', id::text, $2 FROM unnest($1::int[]) id`,
    [ids, tenant.id],
  );
  const worker = await startWorker(settings);
  try {
    await expectWaitingForLocks(40);
    await release();
    expect(sortedStatuses(await deletions)).toEqual(repeat(20, 200));
    // Exactly twenty entries: no lookup was repeated because of a conflict.
    await eventually(async () =>
      expect(
        await query(`SELECT 1 FROM audit_logs WHERE operation = 'domain.lookup' AND organization_id = $1`, [tenant.id]),
      ).toHaveLength(20),
    );
  } finally {
    await worker.stop();
  }
});
