import { AssetsService, DomainsService } from '../../../modules/assets';
import { BeaconsService } from '../../../modules/beacons';
import { type Event, EventFindingsService, EventScopeService } from '../../../modules/events';
import type { DemoFinding } from './demo-findings';
import type { DemoSession, DemoTeam } from './demo-session';
import { seedEvent } from './seed-event';

export interface DemoRecords {
  readonly event_slug: string;
  readonly asset_ids: number[];
  readonly finding_ids: number[];
}

interface DemoAsset {
  readonly name: string;
  readonly tier: number;
  readonly inScope: boolean;
  readonly description: string;
  readonly isPrivate?: boolean;
  /** The product that runs there. */
  readonly purl?: string;
}

const demoAssets: readonly DemoAsset[] = [
  { name: 'shop', tier: 1, inScope: true, description: 'Orders above 1 EUR are not allowed.' },
  { name: 'api', tier: 1, inScope: true, description: 'The API of the shop and of its apps.' },
  {
    name: 'mail',
    tier: 2,
    inScope: true,
    description: 'No tests that send e-mail.',
    purl: 'pkg:composer/roundcube/roundcubemail@1.6.10',
  },
  { name: 'status', tier: 3, inScope: false, description: 'A service of another company, which does not allow tests.' },
  { name: 'intranet', tier: 2, inScope: true, description: 'Behind the beacon of the office.', isPrivate: true },
];

/** Creates typical records of an organization: domains, assets, a beacon and a running event with findings. */
export async function seedRecords(
  team: DemoTeam,
  organizationId: number,
  domain: string,
  findings: readonly DemoFinding[],
): Promise<DemoRecords> {
  const { app, caller } = team.owner;
  await team.owner.run('domain.create', 'domain', () =>
    app.get(DomainsService).create(caller, { organizationId, value: domain }),
  );
  const network = { name: 'office', allowedCidrs: ['10.20.0.0/16'], dnsServer: '10.20.0.53', interfaceName: 'eth0' };
  const { beacon } = await team.owner.run('beacon.create', 'beacon', () =>
    app.get(BeaconsService).create(caller, organizationId, network),
  );
  const assetIds = new Map<string, number>();
  for (const { name, tier, purl = null, isPrivate = false } of demoAssets) {
    const beaconId = isPrivate ? beacon.id : null;
    const draft = { organizationId, value: `${name}.${domain}`, type: 'domain', beaconId, tier, purl };
    const create = () => app.get(AssetsService).create(caller, draft);
    assetIds.set(name, await team.owner.run('asset.create', 'asset', create));
  }
  const event = await seedEvent(team.owner, organizationId);
  for (const { name, inScope, description } of demoAssets) {
    const entry = { assetId: assetIds.get(name) ?? 0, inScope, description, wildcard: false, attachmentUrl: null };
    await team.owner.run('scope_asset.create', 'scope_asset', () =>
      app.get(EventScopeService).add(caller, event.slug, entry),
    );
  }
  const finding_ids: number[] = [];
  for (const finding of findings) {
    finding_ids.push(await seedFinding(team, event, assetIds.get(finding.assetName) ?? 0, finding));
  }
  return { event_slug: event.slug, asset_ids: [...assetIds.values()], finding_ids };
}

async function seedFinding(
  team: DemoTeam,
  { slug }: Event,
  assetId: number,
  { history = [], assetName: _assetName, ...finding }: DemoFinding,
): Promise<number> {
  const { app, caller }: DemoSession = team.member;
  const { finding: recorded } = await team.member.run('finding.record', 'finding', () =>
    app.get(EventFindingsService).record(caller, slug, { ...finding, assetReference: { assetId } }),
  );
  for (const change of history) await team[change.by].changeStatus(recorded, change);
  return recorded.id;
}
