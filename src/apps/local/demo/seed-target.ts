import type { INestApplicationContext } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error';
import { AssetsService } from '../../../modules/assets';
import { EventScopeService, EventsService } from '../../../modules/events';
import type { Demo } from '../demo-file';
import { DemoSteps } from './demo-steps';
import { seedEvent } from './seed-event';

/**
 * The demo data with the demo target among them: an asset of the first organization, in the scope of an event that is
 * not over. What is there already stays as it is.
 */
export async function addTarget(app: INestApplicationContext, demo: Demo, url: string): Promise<Demo> {
  const [organization, ...others] = demo.organizations;
  const owner = organization?.users.find(({ role }) => role === 'owner');
  if (organization === undefined || owner === undefined) throw new Error('the demo data name no owner');
  const { id, event_slug, asset_ids } = organization;
  const steps = await DemoSteps.by(app, owner);
  const assetId = await assetOf(steps, id, url);
  const slug = (await slugOfCurrent(steps, event_slug)) ?? (await seedEvent(steps, id)).slug;
  await putInScope(steps, slug, assetId);
  const added = { ...organization, event_slug: slug, asset_ids: [...new Set([...asset_ids, assetId])] };
  return { ...demo, demo_target_url: url, organizations: [added, ...others] };
}

async function assetOf(steps: DemoSteps, organizationId: number, value: string): Promise<number> {
  const assets = steps.app.get(AssetsService);
  const known = await assets.findByValue(steps.caller.scope, organizationId, value);
  if (known !== undefined) return known.id;
  const draft = { organizationId, value, type: 'url', beaconId: null, tier: 3 };
  return steps.take('asset.create', 'asset', () => assets.create(steps.caller, draft));
}

async function slugOfCurrent({ app, caller }: DemoSteps, slug: string | null): Promise<string | undefined> {
  const event = slug === null ? undefined : await orNothing(app.get(EventsService).get(caller.scope, slug));
  return event === undefined || ['finished', 'canceled'].includes(event.status) ? undefined : event.slug;
}

async function putInScope(steps: DemoSteps, slug: string, assetId: number): Promise<void> {
  const scopes = steps.app.get(EventScopeService);
  if ((await orNothing(scopes.get(steps.caller.scope, slug, assetId))) !== undefined) return;
  const entry = { assetId, inScope: true, description: 'Weak on purpose', wildcard: false, attachmentUrl: null };
  await steps.take('scope_asset.create', 'scope_asset', () => scopes.add(steps.caller, slug, entry));
}

async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'not_found') return undefined;
    throw error;
  }
}
