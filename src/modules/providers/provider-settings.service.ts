import { Injectable } from '@nestjs/common';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Transactions } from '../../platform/database/transactions';
import { MembersService, ProviderIdentities } from '../identity';
import { IdentityProvidersRepository, type ProviderRow } from './data/identity-providers.repository';
import { ScimTokensRepository } from './data/scim-tokens.repository';
import {
  breakGlassNoOwner,
  ProviderFailure,
  providerNotFound,
  roleMissing,
  secretMissing,
  signInThroughProviderFirst,
  unusableProvider,
} from './domain/provider.errors';
import type { RoleMapping } from './domain/role-mapping';
import type { ProviderClient } from './discover-provider';
import { ProviderClients } from './provider-clients';
import { Providers } from './providers.service';

export interface ProviderChange extends RoleMapping {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined keeps the earlier one. */
  readonly clientSecret: string | undefined;
  readonly groupsClaim: string;
  readonly createsUsers: boolean;
}

export interface ProviderSettings {
  readonly provider: Omit<ProviderRow, 'sealed'> | undefined;
  /** Undefined while members may sign in with a password or a passkey. */
  readonly required: { readonly breakGlassUserId: number | null } | undefined;
}

/** The provider of an organization, which its owners set up. */
@Injectable()
export class ProviderSettingsService {
  constructor(
    private readonly rows: IdentityProvidersRepository,
    private readonly providers: Providers,
    private readonly clients: ProviderClients,
    private readonly members: MembersService,
    private readonly identities: ProviderIdentities,
    private readonly scimTokens: ScimTokensRepository,
    private readonly transactions: Transactions,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get(caller: Caller, organizationId: number): Promise<ProviderSettings> {
    caller.requireRole('owner', organizationId);
    const provider = await this.rows.findOf(caller.scope, organizationId);
    const required = await this.identities.findRequirement(organizationId);
    return { provider, required };
  }

  /**
   * Asks the provider first, outside of the transaction. Another issuer or client ends what the earlier one had opened. Returns
   * whether its SCIM token has ended.
   */
  async save(caller: Caller, organizationId: number, change: ProviderChange): Promise<boolean> {
    const isSame = (provider: Pick<ProviderRow, 'issuer' | 'clientId'> | undefined): boolean =>
      provider?.issuer === change.issuer && provider.clientId === change.clientId;
    const { issuer, clientId, groupsClaim, roles, defaultRole, createsUsers } = change;
    if (createsUsers && roles.length === 0 && defaultRole === null) throw roleMissing();
    const clientSecret = await this.transactions.outside(async () => {
      caller.requireRole('owner', organizationId);
      const found = await this.providers.findOf(organizationId);
      const secret = change.clientSecret ?? (isSame(found) ? found?.clientSecret : undefined);
      if (secret === undefined) throw secretMissing();
      await this.requireUsable({ organizationId, issuer, clientId, clientSecret: secret, groupsClaim });
      return secret;
    });
    await this.members.lockAsOwner(caller, organizationId);
    // Another owner may have saved another provider while this one was asked.
    const earlier = await this.rows.findOf(caller.scope, organizationId);
    const isReplaced = !isSame(earlier);
    if (isReplaced) await this.identities.unlinkAllOf(organizationId);
    const hasEndedToken = isReplaced && (await this.scimTokens.remove(organizationId));
    const sealed = this.providers.seal(clientSecret);
    const makerId = caller.facts.userId;
    await this.rows.save({
      organizationId,
      issuer,
      clientId,
      sealed,
      groupsClaim,
      roles,
      defaultRole,
      createsUsers,
      needsVerifiedEmail: isReplaced || earlier?.needsVerifiedEmail !== false,
      makerId,
    });
    this.unitOfWork.note({
      metadata: {
        issuer,
        client_id: clientId,
        roles,
        default_role: defaultRole,
        creates_users: createsUsers,
        ...(hasEndedToken && { ended_scim_token: true }),
      },
    });
    return hasEndedToken;
  }

  async changeNeedsVerifiedEmail(caller: Caller, organizationId: number, isNeeded: boolean): Promise<void> {
    await this.members.lockAsOwner(caller, organizationId);
    if (!(await this.rows.changeNeedsVerifiedEmail(organizationId, isNeeded))) throw providerNotFound();
    this.unitOfWork.note({ metadata: { needs_verified_email: isNeeded } });
  }

  /** Sessions and keys that it has opened end, and passwords open the organization again. */
  async remove(caller: Caller, organizationId: number): Promise<void> {
    await this.members.lockAsOwner(caller, organizationId);
    await this.identities.unlinkAllOf(organizationId);
    await this.identities.requireNoLonger(organizationId);
    await this.rows.remove(organizationId);
  }

  /** Members can then sign in only through the provider, except the break-glass owner. */
  async require(caller: Caller, organizationId: number, breakGlassUserId: number): Promise<void> {
    await this.members.lockAsOwner(caller, organizationId);
    const provider = await this.rows.findOf(caller.scope, organizationId);
    if (provider === undefined) throw providerNotFound();
    const { userId, signIn } = caller.facts;
    const linked = await this.identities.listOf(userId);
    const opened = linked.find(({ id }) => id === signIn?.identities.get(organizationId));
    if (opened?.organizationId !== organizationId) throw signInThroughProviderFirst();
    const [breakGlass] = await this.members.listOfVisible(organizationId, [breakGlassUserId]);
    if (breakGlass?.role !== 'owner') throw breakGlassNoOwner();
    await this.identities.require(organizationId, breakGlassUserId);
    this.unitOfWork.note({ metadata: { break_glass_user_id: breakGlassUserId } });
  }

  async requireNoLonger(caller: Caller, organizationId: number): Promise<void> {
    await this.members.lockAsOwner(caller, organizationId);
    await this.identities.requireNoLonger(organizationId);
  }

  private async requireUsable(client: ProviderClient): Promise<void> {
    try {
      await this.clients.require(client);
    } catch (error) {
      throw error instanceof ProviderFailure ? unusableProvider(error.message) : error;
    }
  }
}
