import { ownerRequest } from '../requests';
import { type Bench, withServers } from '../bench';
import { assetAt, eventAt, organizationAt, slugOf } from '../data-set/shape';
import { generateLoad } from '../load-generator';
import type { Figure } from '../table';

/** Every list and view of the largest organization, each by itself, by a few callers at once. */
export async function lists({ dataSet, options, database }: Bench): Promise<Figure[]> {
  const { shape } = dataSet;
  const own = `/v1/organizations/${organizationAt(0)}`;
  const finding = await database.selectNumber(
    dataSet,
    `SELECT max(id) FROM findings WHERE organization_id = ${organizationAt(0)}`,
  );
  const paths: Record<string, string> = {
    'findings of an event': `/v1/events/${slugOf(eventAt(shape, 0, 0))}/findings/?per_page=50`,
    'findings of an organization': `${own}/findings/?per_page=50`,
    'findings, the severest': `${own}/findings/?per_page=50&sort=severity`,
    'findings, the most urgent': `${own}/findings/?per_page=50&sort=priority`,
    'findings in one status': `${own}/findings/?per_page=50&status=3`,
    'findings, high and above': `${own}/findings/?per_page=50&severity=high`,
    'findings, high, the most urgent': `${own}/findings/?per_page=50&severity=high&sort=priority`,
    'findings of an asset': `${own}/findings/?per_page=50&asset_id=${assetAt(shape, 0, 0)}`,
    'findings by a word': `${own}/findings/?per_page=50&q=origin`,
    'findings by a word that is not there': `${own}/findings/?per_page=50&q=xylophone`,
    'history of a finding': `/v1/findings/${finding}/history`,
    'assets of an organization': `${own}/assets/?per_page=50`,
    'view of an asset': `/v1/assets/${assetAt(shape, 0, 0)}`,
    'events of an organization': `${own}/events/`,
    organizations: '/v1/organizations/',
    jobs: '/v1/jobs',
    reports: '/v1/reports/',
  };
  return withServers(['api'], { DATABASE_URL: dataSet.appUrl }, async ({ url }) => {
    const figures: Figure[] = [];
    for (const [what, path] of Object.entries(paths)) {
      const requests = [[ownerRequest(path)], [ownerRequest(path)]];
      // What does not answer in time is a figure too, and keeps nobody from the next.
      const p99 = await generateLoad({ url, requests: requests, seconds: 0.5, expectedStatus: 200 })
        .then(() => generateLoad({ url, requests: requests, seconds: options.quick ? 0.5 : 2, expectedStatus: 200 }))
        .then((driven) => driven.p99)
        .catch(() => Number.POSITIVE_INFINITY);
      figures.push({ measure: 'lists', what: `${what}, p99`, value: p99, unit: 'ms' });
    }
    return figures;
  });
}
