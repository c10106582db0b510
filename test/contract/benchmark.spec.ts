import { columns, present, type Row } from '../../bench/servers/raw-finding';
import { useApi } from '../support/api';
import { query } from '../support/database';
import { Factories } from '../support/factories';
import { tenantWithRecords } from '../support/records';

const api = useApi();

it('the raw server of the benchmark presents a finding as the service does', async () => {
  const { owner, ids } = await tenantWithRecords(new Factories(api));
  const { text } = await owner.client.get(`/v1/findings/${ids.finding_id}/`);
  const rows = await query<Row>(`SELECT ${columns} FROM findings f WHERE f.id = $1`, [ids.finding_id]);
  expect(JSON.stringify({ findings: rows.map(present) })).toBe(text);
});
