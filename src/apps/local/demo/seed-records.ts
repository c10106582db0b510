import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssetsService, DomainsService, ObservedAssets } from '../../../modules/assets';
import { BeaconsService } from '../../../modules/beacons';
import { type Event, EventFindingsService, EventPicturesService, EventScopeService } from '../../../modules/events';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { demoAssets, observedOn } from './demo-assets';
import type { DemoFinding } from './demo-findings';
import type { DemoSession, DemoTeam } from './demo-session';
import { seedEvent } from './seed-event';

export interface DemoRecords {
  readonly event_slug: string;
  readonly asset_ids: number[];
  readonly finding_ids: number[];
}

const PICTURE = join(__dirname, 'event-picture.png');

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
  const network = {
    name: 'office',
    allowedCidrs: ['10.20.0.0/16'],
    dnsServer: '10.20.0.53',
    interfaceName: 'eth0',
    observe: true,
  };
  const { beacon } = await team.owner.run('beacon.create', 'beacon', () =>
    app.get(BeaconsService).create(caller, organizationId, network),
  );
  const assetIds = new Map<string, number>();
  for (const asset of demoAssets) {
    const { name, tier, labels, purl = null, isPrivate = false } = asset;
    const beaconId = isPrivate ? beacon.id : null;
    const draft = { organizationId, value: `${name}.${domain}`, type: 'domain', beaconId, tier, purl, labels };
    const create = () => app.get(AssetsService).create(caller, draft);
    const id = await team.owner.run('asset.create', 'asset', create);
    assetIds.set(name, id);
    await team.owner.run('asset.observe', 'asset', async () => {
      app.get(UnitOfWork).note({ organizationId, resourceId: String(id) });
      await app.get(ObservedAssets).replace(organizationId, id, observedOn(asset, draft.value));
    });
  }
  const event = await seedEvent(team.owner, organizationId);
  await team.owner.run('event.picture_change', 'event', () =>
    app.get(EventPicturesService).replace(caller, event.slug, 'image/png', readFileSync(PICTURE)),
  );
  for (const { name, inScope, description, attachment } of demoAssets) {
    const attachmentUrl = attachment === undefined ? null : `https://${name}.${domain}/${attachment}`;
    const entry = { assetId: assetIds.get(name) ?? 0, inScope, description, wildcard: false, attachmentUrl };
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
