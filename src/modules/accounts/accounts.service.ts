import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { AccountSecrets, SessionProof, SignInRecipe } from '../../engine';
import { invalid, notFound, unprocessable } from '../../kernel/domain-error';
import { Clock } from '../../kernel/clock';
import { orThrow } from '../../kernel/or-throw';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { type Asset, AssetsService, covers } from '../assets';
import { IdentityService } from '../identity';
import { OrganizationsService } from '../organizations';
import { SealedAccountSecrets } from './account-secrets';
import { type AssetAccount, type LaunchRole } from './data/asset-account.entity';
import { AssetAccountsRepository, type StoredChange } from './data/asset-accounts.repository';
import { accountNotFound, nothingRecorded, tooManyAccounts } from './domain/account.errors';
import { canonicalOrigins, parseOrigin } from './domain/account-origins';
import { type AccountRelation, requireOthers, requireOwnValues } from './domain/account-relations';
import { requireAtOrigins, requireExpiring, requireFitting, requireProof } from './domain/sign-in-recipe';

const MAX_OF_ASSET = 20;
const MAX_OF_ORGANIZATION = 500;

const ERASED_PERSON = 'An erased user';
const NO_CONSENT = { consentedAt: null, consentedBy: null, consentedById: null };

export interface AccountDraft {
  readonly name: string;
  readonly role: string;
  readonly recipe: SignInRecipe;
  readonly origins: readonly string[];
  readonly secrets: AccountSecrets | null;
  readonly launchRole: LaunchRole;
  readonly ciKeys: boolean;
  readonly ownValues: readonly string[];
  readonly expires: string | null;
}

/** Omitted fields do not change. */
export type AccountChange = Partial<Omit<AccountDraft, 'secrets'>> & {
  readonly secrets?: AccountSecrets;
  readonly proof?: SessionProof | null;
  readonly relations?: readonly AccountRelation[];
  /** Whether tests may run signed in. */
  readonly consent?: boolean;
  /** Takes the sign-in of the uploaded HAR, as its last sign-in has shown it, with its secrets. */
  readonly recorded?: boolean;
};

/** The accounts with which tests sign in to an asset. Admins manage them. */
@Injectable()
export class AssetAccountsService {
  constructor(
    private readonly accounts: AssetAccountsRepository,
    private readonly secrets: SealedAccountSecrets,
    private readonly assets: AssetsService,
    private readonly organizations: OrganizationsService,
    private readonly identity: IdentityService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  @OwnerOf('account')
  async ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return (await this.accounts.findById(scope, Number(id)))?.organizationId;
  }

  async list(scope: Scope, assetId: number): Promise<AssetAccount[]> {
    const { id } = await this.assets.get(scope, assetId);
    return this.accounts.listOfVisible(id);
  }

  async get(scope: Scope, assetId: number, id: number): Promise<AssetAccount> {
    const asset = await this.assets.get(scope, assetId);
    return orThrow(await this.accounts.findOne(scope, asset.id, id), accountNotFound);
  }

  async create(caller: Caller, assetId: number, draft: AccountDraft): Promise<AssetAccount> {
    const { organizationId } = await this.assets.get(caller.scope, assetId);
    this.unitOfWork.note({ organizationId });
    caller.requireRole('admin', organizationId);
    await this.organizations.lockForCounting(caller.scope, organizationId);
    const asset = await this.assets.lockForKeyShare(caller.scope, assetId);
    this.unitOfWork.note({ metadata: { asset: asset.value, account: draft.name } });
    const { secrets, ...fields } = draft;
    const origins = originsOn(asset, draft.origins);
    requireAtOrigins(draft.recipe, origins);
    requireExpiring(draft.recipe, draft.expires);
    requireOwnValues(draft.ownValues);
    if (secrets !== null) requireFitting(draft.recipe, secrets);
    const { all, ofAsset } = await this.accounts.countOfLocked(organizationId, assetId);
    if (ofAsset >= MAX_OF_ASSET) throw tooManyAccounts(MAX_OF_ASSET, 'asset');
    if (all >= MAX_OF_ORGANIZATION) throw tooManyAccounts(MAX_OF_ORGANIZATION, 'organization');
    const sealed = secrets === null ? null : this.secrets.seal(secrets);
    const id = await this.accounts.add({
      ...fields,
      ownValues: [...draft.ownValues],
      organizationId,
      assetId,
      origins,
      sealed,
    });
    this.unitOfWork.note({ resourceId: String(id), metadata: { origins, how: draft.recipe.kind } });
    return this.get(caller.scope, assetId, id);
  }

  /** Another sign-in or other origins empty the secrets, unless they are typed again, and end the consent, unless it is given again. */
  async change(caller: Caller, assetId: number, id: number, stated: AccountChange): Promise<AssetAccount> {
    const { asset, account } = await this.lockForAdmin(caller, assetId, id);
    await this.unitOfWork.checkCondition();
    const change = await this.withRecorded(account, stated);
    const { secrets, consent, proof, ownValues, relations, ...fields } = change;
    requireOwnValues(ownValues ?? []);
    if (relations !== undefined) await this.requireRelations(relations, account);
    const origins = change.origins === undefined ? account.origins : originsOn(asset, change.origins);
    const recipe = change.recipe ?? account.recipe;
    const isOther =
      !isDeepStrictEqual(recipe, account.recipe) ||
      !isDeepStrictEqual([...origins].sort(), [...account.origins].sort());
    requireAtOrigins(recipe, origins);
    requireExpiring(recipe, change.expires === undefined ? account.expires : change.expires);
    if (secrets !== undefined) requireFitting(recipe, secrets);
    const isNew = isOther || secrets !== undefined;
    const kept = proof === undefined && !isOther ? account.proof : (proof ?? null);
    const changed: StoredChange = {
      ...fields,
      ...(ownValues !== undefined && { ownValues: [...ownValues] }),
      ...(relations !== undefined && { relations: [...relations] }),
      origins,
      proof: kept === null ? null : requireProof(kept, origins),
      ...(stated.recorded === true && { sealedSteps: null }),
      ...(isOther && { sealed: null }),
      ...(secrets !== undefined && { sealed: this.secrets.seal(secrets) }),
      ...(isNew && { version: account.version + 1, failures: 0 }),
      ...(isOther && NO_CONSENT),
      ...(consent !== undefined && (await this.consentOf(caller, account, consent, isOther))),
    };
    this.unitOfWork.note({
      metadata: {
        changes: Object.keys(stated),
        ...(isOther && secrets === undefined && { secrets: 'emptied' }),
        ...(consent !== undefined && { signed_in_tests: consent }),
        ...(relations !== undefined && { relations: relations.map(({ account: other, is }) => `${is} ${other}`) }),
        ...(isOther && consent === undefined && account.consentedAt !== null && { signed_in_tests: false }),
        ...(change.origins !== undefined && { from: account.origins, to: origins }),
      },
    });
    await this.accounts.change(account, changed);
    return this.get(caller.scope, assetId, id);
  }

  async delete(caller: Caller, assetId: number, id: number): Promise<void> {
    const { account } = await this.lockForAdmin(caller, assetId, id);
    await this.unitOfWork.checkCondition();
    await this.accounts.remove(account);
  }

  /** Resumes an account that was stopped after two failed sign-ins. */
  async resume(caller: Caller, assetId: number, id: number): Promise<AssetAccount> {
    const { account } = await this.lockForAdmin(caller, assetId, id);
    this.unitOfWork.note({ metadata: { stopped_at: account.stoppedAt?.toISOString() ?? null } });
    await this.accounts.change(account, { stoppedAt: null, failures: 0 });
    return this.get(caller.scope, assetId, id);
  }

  /** Decisions of an erased user stay in effect, without the name. */
  forgetPerson(userId: number): Promise<number> {
    return this.accounts.removeName(userId, ERASED_PERSON);
  }

  /** The asset and its account, for a change of the account. */
  async lockForAdmin(
    caller: Caller,
    assetId: number,
    id: number,
  ): Promise<{ readonly asset: Asset; readonly account: AssetAccount }> {
    const asset = await this.assets.lockForKeyShare(caller.scope, assetId);
    this.unitOfWork.note({ organizationId: asset.organizationId, metadata: { asset: asset.value } });
    orThrow(await this.accounts.findOne(caller.scope, asset.id, id), accountNotFound);
    caller.requireRole('admin', asset.organizationId);
    const account = orThrow(await this.accounts.lockById(caller.scope, id), accountNotFound);
    this.unitOfWork.note({ metadata: { account: account.name } });
    return { asset, account };
  }

  private async withRecorded(
    { id, signInReport }: AssetAccount,
    { recorded, ...change }: AccountChange,
  ): Promise<Omit<AccountChange, 'recorded'>> {
    if (recorded !== true) return change;
    if (change.recipe !== undefined || change.secrets !== undefined)
      throw invalid('recorded must be left out where sign_in or secrets are stated.');
    const steps = signInReport?.recorded === undefined ? null : await this.secrets.stepsOfVisible(id);
    if (steps === null) throw nothingRecorded();
    return { ...change, ...steps };
  }

  private async requireRelations(relations: readonly AccountRelation[], { id, assetId }: AssetAccount): Promise<void> {
    const others = await this.accounts.listOfVisible(assetId);
    requireOthers(relations, id, new Set(others.map((other) => other.id)));
  }

  private async consentOf(
    caller: Caller,
    account: AssetAccount,
    isGiven: boolean,
    isOther: boolean,
  ): Promise<StoredChange> {
    if (!isGiven) return NO_CONSENT;
    if (account.consentedAt !== null && !isOther) return {};
    const { userId } = caller.facts;
    const names = await this.identity.displayNamesOfVisible([userId]);
    const consentedBy = orThrow(names.get(userId), () => notFound('User'));
    return { consentedAt: this.clock.now(), consentedBy, consentedById: userId };
  }
}

/** In canonical form. One origin must be of the asset; the others may be where the application signs users in. */
function originsOn(asset: Asset, stated: readonly string[]): string[] {
  const origins = canonicalOrigins(stated);
  const isOnAsset = origins.some((origin) => covers(asset, parseOrigin(origin)));
  if (!isOnAsset)
    throw unprocessable(`origins has none that ${asset.value} covers: name the scheme, host and port of the asset.`);
  return origins;
}
