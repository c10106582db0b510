import { ownerRequest } from '../requests';
import { type Bench, withServers } from '../bench';
import { organizationAt } from '../data-set/shape';
import { generateLoad } from '../load-generator';
import type { Figure } from '../table';

const paths: Record<string, string> = {
  'without filters': '',
  'by operation': '&operation=finding.status_update',
  'of one resource': '&resource_type=finding&resource_id=77',
};

/** The audit log of the organization with most entries, with its exact total. */
export async function audit({ dataSet, options, database }: Bench): Promise<Figure[]> {
  const entries = await database.selectNumber(
    dataSet,
    `SELECT count(*) FROM audit_logs WHERE organization_id = ${organizationAt(0)}`,
  );
  return withServers(['api'], { DATABASE_URL: dataSet.appUrl }, async ({ url }) => {
    const figures: Figure[] = [];
    for (const [label, filter] of Object.entries(paths)) {
      const requests = [[ownerRequest(`/v1/audit-logs/?organization_id=${organizationAt(0)}&per_page=50${filter}`)]];
      await generateLoad({ url, requests, seconds: 0.5, expectedStatus: 200 });
      const { p50 } = await generateLoad({ url, requests, seconds: options.seconds, expectedStatus: 200 });
      figures.push({
        measure: `audit log, ${entries.toLocaleString('en')} entries`,
        what: `${label}, p50`,
        value: p50,
        unit: 'ms',
        ...(filter === '' ? { goal: { atMost: 250 } } : {}),
      });
    }
    return figures;
  });
}
