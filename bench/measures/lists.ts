import { ownerRequest } from '../requests';
import { type Bench, withServers } from '../bench';
import { assetAt, eventAt, organizationAt, slugOf } from '../data-set/shape';
import { generateLoad } from '../load-generator';
import type { Figure } from '../table';

/** Every list and single record of the largest organization, one after the other, with two connections. */
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
    'findings by severity': `${own}/findings/?per_page=50&sort=severity`,
    'findings by priority': `${own}/findings/?per_page=50&sort=priority`,
    'findings in one status': `${own}/findings/?per_page=50&status=3`,
    'findings of severity high and above': `${own}/findings/?per_page=50&severity=high`,
    'findings of severity high and above, by priority': `${own}/findings/?per_page=50&severity=high&sort=priority`,
    'findings of an asset': `${own}/findings/?per_page=50&asset_id=${assetAt(shape, 0, 0)}`,
    'findings by verification': `${own}/findings/?per_page=50&verification=confirmed`,
    'findings by a rare verification, by priority': `${own}/findings/?per_page=50&verification=inconclusive&sort=priority`,
    'findings of a CWE': `${own}/findings/?per_page=50&cwe=79`,
    'findings of a CWE, by priority': `${own}/findings/?per_page=50&cwe=79&sort=priority`,
    'findings that are exploited': `${own}/findings/?per_page=50&kev=true`,
    'findings that are exploited, by priority': `${own}/findings/?per_page=50&kev=true&sort=priority`,
    // Seven common scores in one connection, so that the plan for the rare one after them is that for any score.
    ...Object.fromEntries(
      [0.01, 0.02, 0.03, 0.04, 0.05, 0.07, 0.1].map((score) => [
        `findings with an EPSS of ${score} and above`,
        `${own}/findings/?per_page=50&epss_min=${score}`,
      ]),
    ),
    'findings with an EPSS of 0.99 and above': `${own}/findings/?per_page=50&epss_min=0.99`,
    'findings with an EPSS of 0.9 and above, by priority': `${own}/findings/?per_page=50&epss_min=0.9&sort=priority`,
    'search in findings': `${own}/findings/?per_page=50&q=origin`,
    'search in findings, without matches': `${own}/findings/?per_page=50&q=xylophone`,
    'history of a finding': `/v1/findings/${finding}/history`,
    'assets of an organization': `${own}/assets/?per_page=50`,
    'one asset': `/v1/assets/${assetAt(shape, 0, 0)}`,
    'events of an organization': `${own}/events/`,
    organizations: '/v1/organizations/',
    jobs: '/v1/jobs',
    reports: '/v1/reports/',
  };
  return withServers(['api'], { DATABASE_URL: dataSet.appUrl }, async ({ url }) => {
    const figures: Figure[] = [];
    for (const [label, path] of Object.entries(paths)) {
      const requests = [[ownerRequest(path)], [ownerRequest(path)]];
      // A timeout is a result too and does not stop the other measures.
      const p99 = await generateLoad({ url, requests, seconds: 0.5, expectedStatus: 200 })
        .then(() => generateLoad({ url, requests, seconds: options.quick ? 0.5 : 2, expectedStatus: 200 }))
        .then((result) => result.p99)
        .catch(() => Number.POSITIVE_INFINITY);
      figures.push({ measure: 'lists', what: `${label}, p99`, value: p99, unit: 'ms' });
    }
    return figures;
  });
}
