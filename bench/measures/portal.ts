import { createHash } from 'node:crypto';
import { type Bench, withServers } from '../bench';
import { connectTo, type DataSet } from '../data-set/bench-database';
import { assetAt, eventAt, organizationAt, slugOf } from '../data-set/shape';
import { goalOf } from '../goals';
import { generateLoad } from '../load-generator';
import type { Figure } from '../table';

const PORT = 21_490;
const url = `http://127.0.0.1:${PORT}`;

/** The token of a session of the first owner. It is only valid for the generated data on this machine. */
const token = createHash('sha256').update('bench session').digest('base64url');

async function signIn({ ownerUrl }: DataSet): Promise<void> {
  const client = await connectTo(ownerUrl);
  await client.query('DELETE FROM sessions');
  await client.query(`INSERT INTO sessions (token_hash, user_id) VALUES (sha256($1), $2)`, [
    Buffer.from(token),
    organizationAt(0),
  ]);
  await client.end();
}

/** The pages of the largest organization, one after the other, with two connections. */
export async function portal({ dataSet, options, database }: Bench): Promise<Figure[]> {
  await signIn(dataSet);
  const own = `/o/${organizationAt(0)}`;
  const newest = await database.selectNumber(
    dataSet,
    `SELECT max(id) FROM findings WHERE organization_id = ${organizationAt(0)}`,
  );
  const paths: Record<string, string> = {
    findings: `${own}/findings`,
    'findings by severity': `${own}/findings?sort=severity`,
    'search in findings': `${own}/findings?q=origin`,
    'search in findings, without matches': `${own}/findings?q=xylophone`,
    'one finding': `${own}/findings/${newest}`,
    'edit of one finding': `${own}/findings/${newest}/edit`,
    'new finding': `${own}/findings/new`,
    templates: `${own}/settings/findings/templates`,
    home: own,
    overview: `${own}/overview`,
    assets: `${own}/assets`,
    'one asset': `${own}/assets/${assetAt(dataSet.shape, 0, 0)}`,
    'full tests of one asset': `${own}/assets/${assetAt(dataSet.shape, 0, 0)}/full-tests`,
    'changes of one asset': `${own}/assets/${assetAt(dataSet.shape, 0, 0)}/changes`,
    scans: `${own}/scans`,
    'one event': `${own}/events/${slugOf(eventAt(dataSet.shape, 0, 0))}`,
    reports: `${own}/reports`,
    'new report': `${own}/reports/new`,
    schedules: `${own}/schedules`,
    webhooks: `${own}/webhooks`,
    inbox: `${own}/inbox`,
    activity: `${own}/activity`,
    'audit log': `${own}/audit`,
    members: `${own}/settings/members`,
    access: `${own}/settings/access`,
    'single sign-on': `${own}/settings/single-sign-on`,
    channels: `${own}/channels`,
    trackers: `${own}/trackers`,
    'notification settings': `${own}/settings/notifications`,
    'API keys': '/settings/api',
  };
  return withServers(
    ['api'],
    { DATABASE_URL: dataSet.appUrl, PORTAL_PORT: String(PORT), PORTAL_URL: url },
    async (api) => {
      const figures: Figure[] = [];
      const loads = Object.entries(paths).map(([page, path]) => {
        const request = { method: 'GET', path, headers: { cookie: `assay=${token}` } } as const;
        return { page, url, requests: [[request], [request]], seconds: options.quick ? 0.5 : 2, expectedStatus: 200 };
      });
      // All of them first, so that no page pays for compiling what the others use.
      for (const load of loads) await generateLoad({ ...load, seconds: 0.5 });
      for (const { page, ...load } of loads) {
        const before = api.cpuSeconds;
        const { p50, p99, responses } = await generateLoad(load);
        figures.push(
          { measure: 'portal', what: `${page}, p50`, value: p50, unit: 'ms', goal: { atMost: 100 } },
          { measure: 'portal', what: `${page}, p99`, value: p99, unit: 'ms' },
          {
            measure: 'portal',
            what: `${page}, CPU time`,
            value: ((api.cpuSeconds - before) * 1_000) / responses,
            unit: 'ms',
            ...(page === 'findings' && { goal: goalOf('CPU time of the findings page of the portal') }),
          },
        );
      }
      return figures;
    },
  );
}
