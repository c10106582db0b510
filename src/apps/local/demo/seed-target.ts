import type { INestApplicationContext } from '@nestjs/common';
import { AssetAccountsService } from '../../../modules/accounts';
import { AssetsService } from '../../../modules/assets';
import { EventScopeService, EventsService } from '../../../modules/events';
import type { Demo } from '../demo-file';
import { USERS } from '../demo-target/members';
import { DemoSession } from './demo-session';
import { seedEvent } from './seed-event';
import { undefinedIf } from './undefined-if';

/**
 * Adds the demo target to the demo data: an asset of the first organization, in the scope of an unfinished event. Existing
 * records do not change.
 */
export async function seedTarget(app: INestApplicationContext, demo: Demo, url: string): Promise<Demo> {
  const [organization, ...others] = demo.organizations;
  if (organization === undefined) throw new Error('The demo data has no organization.');
  const { id, event_slug, asset_ids, users } = organization;
  const session = await DemoSession.signIn(app, users, 'owner');
  const assetId = await ensureAsset(session, id, url);
  await ensureAccounts(session, assetId, url);
  const slug = (await usableEventSlug(session, event_slug)) ?? (await seedEvent(session, id)).slug;
  await ensureInScope(session, slug, assetId);
  const added = { ...organization, event_slug: slug, asset_ids: [...new Set([...asset_ids, assetId])] };
  return { ...demo, demo_target_url: url, organizations: [added, ...others] };
}

/** It is a process beside the worker. At the default pace, the first job would share four requests a second with those of the demo. */
const REQUESTS_PER_SECOND = 20;

async function ensureAsset(session: DemoSession, organizationId: number, value: string): Promise<number> {
  const assets = session.app.get(AssetsService);
  const known = await assets.findByValue(session.caller.scope, organizationId, value);
  if (known !== undefined) return known.id;
  const draft = { organizationId, value, type: 'url', beaconId: null, tier: 3 };
  const id = await session.run('asset.create', 'asset', () => assets.create(session.caller, draft));
  const tests = { activeTests: 'read_only', requestsPerSecond: REQUESTS_PER_SECOND } as const;
  await session.run('asset.change', 'asset', () => assets.change(session.caller, id, tests));
  return id;
}

/** Two customers who share nothing, with what belongs to each alone. */
async function ensureAccounts(session: DemoSession, assetId: number, url: string): Promise<void> {
  const { app, caller } = session;
  const accounts = app.get(AssetAccountsService);
  if ((await accounts.list(caller.scope, assetId)).length > 0) return;
  const { origin } = new URL(url);
  const proof = { url: `${origin}/account`, text: 'Signed in as', isOnly: 'in' } as const;
  const ids: number[] = [];
  for (const [userName, { password, mail }] of Object.entries(USERS)) {
    const draft = {
      name: `customer ${userName}`,
      role: 'customer',
      recipe: { kind: 'form', page: `${origin}/login`, userName },
      origins: [origin],
      secrets: { password },
      launchRole: 'member',
      ciKeys: false,
      ownValues: [mail],
      expires: null,
    } as const;
    const relations = ids.map((account) => ({ account, is: 'equal', shared: [] }) as const);
    const create = () => session.run('account.create', 'account', () => accounts.create(caller, assetId, draft));
    // A database of the user's own may have no key to encrypt its password with.
    const created = await undefinedIf('unprocessable', create());
    if (created === undefined) return;
    const { id } = created;
    const change = { proof, consent: true, relations };
    await session.run('account.change', 'account', () => accounts.change(caller, assetId, id, change));
    ids.push(id);
  }
}

async function usableEventSlug({ app, caller }: DemoSession, slug: string | null): Promise<string | undefined> {
  const event = slug === null ? undefined : await app.get(EventsService).find(caller.scope, slug);
  return event === undefined || ['finished', 'canceled'].includes(event.status) ? undefined : event.slug;
}

async function ensureInScope(session: DemoSession, slug: string, assetId: number): Promise<void> {
  const scopes = session.app.get(EventScopeService);
  if ((await undefinedIf('not_found', scopes.get(session.caller.scope, slug, assetId))) !== undefined) return;
  const entry = {
    assetId,
    inScope: true,
    description: 'Deliberately vulnerable',
    wildcard: false,
    attachmentUrl: null,
  };
  await session.run('scope_asset.create', 'scope_asset', () => scopes.add(session.caller, slug, entry));
}
