import { AssetsService, DomainsService } from '../../../modules/assets';
import { BeaconsService } from '../../../modules/beacons';
import { EventFindingsService, EventScopeService } from '../../../modules/events';
import { ReportsService, defaultReportOptions } from '../../../modules/reports';
import type { DemoSession } from './demo-session';
import { seedEvent } from './seed-event';

export interface DemoRecords {
  readonly event_slug: string;
  readonly asset_ids: number[];
  readonly finding_ids: number[];
  readonly report_id: number;
}

interface DemoFinding {
  readonly title: string;
  readonly md: string;
  readonly severity?: string;
  readonly cvssVector?: string;
  readonly cve?: string;
}

/** One finding for each asset, with different severities. */
const findings: readonly DemoFinding[] = [
  {
    title: 'Remote code execution in the file upload',
    md: 'The upload at `/media` accepts **any** file type and stores it in a folder in which the server executes scripts.\n\nAccept only images, and store them outside of the web root.',
    cvssVector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
    cve: 'CVE-2026-12345',
  },
  {
    title: 'SQL injection in the order search',
    md: 'A quote in `q` ends the SQL string:\n\n```\nGET /orders?q=%27\n```\n\nBind the value as a parameter.',
    severity: 'high',
  },
  {
    title: 'No HSTS header',
    md: 'An attacker can redirect the first visit to plain HTTP. Send `Strict-Transport-Security: max-age=31536000`.',
    severity: 'medium',
  },
  {
    title: 'The server discloses its version',
    md: 'The `Server` header contains the version of the server. Remove the version.',
    severity: 'low',
  },
];

/** Creates typical records of an organization, as its owner. */
export async function seedRecords(session: DemoSession, organizationId: number, domain: string): Promise<DemoRecords> {
  const { app, caller } = session;
  await session.run('domain.create', 'domain', () =>
    app.get(DomainsService).create(caller, { organizationId, value: domain }),
  );
  const asset_ids: number[] = [];
  for (const [index, name] of ['shop', 'api', 'mail', 'intranet'].entries()) {
    const draft = {
      organizationId,
      value: `${name}.${domain}`,
      type: 'domain',
      beaconId: null,
      tier: index === 0 ? 1 : 2,
    };
    asset_ids.push(await session.run('asset.create', 'asset', () => app.get(AssetsService).create(caller, draft)));
  }
  const network = { name: 'office', allowedCidrs: ['10.20.0.0/16'], dnsServer: '10.20.0.53', interfaceName: 'eth0' };
  await session.run('beacon.create', 'beacon', () => app.get(BeaconsService).create(caller, organizationId, network));

  const { slug, startDate, endDate } = await seedEvent(session, organizationId);
  for (const assetId of asset_ids) {
    const entry = { assetId, inScope: true, description: null, wildcard: false, attachmentUrl: null };
    await session.run('scope_asset.create', 'scope_asset', () => app.get(EventScopeService).add(caller, slug, entry));
  }
  const finding_ids: number[] = [];
  for (const [index, finding] of findings.entries()) {
    const assetId = asset_ids[index] ?? 0;
    const { finding: recorded } = await session.run('finding.record', 'finding', () =>
      app.get(EventFindingsService).record(caller, slug, { ...finding, assetReference: { assetId } }),
    );
    finding_ids.push(recorded.id);
  }
  const report = { options: defaultReportOptions, startDate, endDate };
  const report_id = await session.run('report.create', 'report', () =>
    app.get(ReportsService).create(caller, { kind: 'event', slug }, report),
  );
  return { event_slug: slug, asset_ids, finding_ids, report_id };
}
