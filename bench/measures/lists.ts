import { ownerRequest } from '../requests';
import { type Bench, withServers } from '../bench';
import { assetAt, eventAt, organizationAt, slugOf } from '../data-set/shape';
import { goalOf } from '../goals';
import { generateLoad } from '../load-generator';
import type { Figure } from '../table';

const SEARCHES = {
  'a common word': 'origin',
  'no match': 'xylophone',
  'no match, two letters': 'zz',
  'a letter': 'e',
  'an id': '#4711',
  'a CVE': 'CVE-2024-25260',
  'most CVEs': 'cve-2024',
  'a CWE': 'cwe-137',
  'a part of an asset': 'host-12.exam',
  'a word of the description': 'password',
  'several words': 'proxy needs link',
  'a common and a rare word': 'server xylophone',
} as const;

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
    ...Object.fromEntries(
      Object.entries(SEARCHES).map(([what, q]) => [
        `search: ${what}`,
        `${own}/findings/?per_page=50&q=${encodeURIComponent(q)}`,
      ]),
    ),
    'search: a common word, by priority': `${own}/findings/?per_page=50&q=origin&sort=priority`,
    'search: a common word with a status': `${own}/findings/?per_page=50&q=origin&status=3&severity=high`,
    'history of a finding': `/v1/findings/${finding}/history`,
    'assets of an organization': `${own}/assets/?per_page=50`,
    'one asset': `/v1/assets/${assetAt(shape, 0, 0)}`,
    'events of an organization': `${own}/events/`,
    organizations: '/v1/organizations/',
    events: '/v1/events',
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
      const goal = label.startsWith('search') ? { goal: goalOf('a search') } : {};
      figures.push({ measure: 'lists', what: `${label}, p99`, value: p99, unit: 'ms', ...goal });
    }
    return figures;
  });
}
