import { Injectable } from '@nestjs/common';
import { type ApiRequest, type ProviderRequest, requestMetadata } from '../../platform/api/api-request';
import type { Actor } from '../../platform/api/caller';
import { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { DomainsService } from '../assets';
import { ProviderMembers, ProvisionedMembers, type ProvisionedUser } from '../identity';
import { domainOfAddress } from './domain/provider-claims';
import type { ScimChange, ScimDraft, ScimQuery } from './domain/scim-requests';
import { addressTaken, defaultRoleMissing, domainNotVerified, invalidValue, removedBefore } from './domain/scim.errors';
import { roleOfGroups } from './domain/role-mapping';
import { Providers } from './providers.service';

/** Who a provider is in the audit log. */
const actorOf = ({ providerId }: ProviderRequest): Actor => ({ type: 'system', id: `identity_provider:${providerId}` });

const descriptionOf = (provider: ProviderRequest, request: ApiRequest, userId: number | undefined) =>
  ({
    actor: actorOf(provider),
    operation: 'membership.provision',
    resourceType: 'membership',
    resourceId: userId?.toString(),
    organizationId: provider.organizationId,
    metadata: { ...requestMetadata(request), method: request.method },
    trace: request.trace,
  }) as const;

const scopeOf = ({ organizationId }: ProviderRequest): Scope => Scope.organizations([organizationId]);

/** The members of an organization, as its provider reads and changes them over SCIM. */
@Injectable()
export class ScimService {
  constructor(
    private readonly providers: Providers,
    private readonly provisioned: ProvisionedMembers,
    private readonly members: ProviderMembers,
    private readonly domains: DomainsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(
    { organizationId }: ProviderRequest,
    { filter, startIndex, count }: ScimQuery,
  ): Promise<{ users: ProvisionedUser[]; total: number }> {
    return this.provisioned.list(organizationId, filter, { offset: startIndex - 1, limit: count });
  }

  get({ organizationId }: ProviderRequest, userId: number): Promise<ProvisionedUser> {
    return this.provisioned.get(organizationId, userId);
  }

  /** Reads what a request asks for. A refused one leaves an entry, as a change that is refused. */
  async read<T>(
    provider: ProviderRequest,
    request: ApiRequest,
    userId: number | undefined,
    parse: () => Promise<T>,
  ): Promise<T> {
    try {
      return await parse();
    } catch (error) {
      await this.unitOfWork.refuse(descriptionOf(provider, request, userId), scopeOf(provider), error);
      throw error;
    }
  }

  /** A member with the address is linked, as it is. An unknown address of a verified domain becomes a new user. */
  create(provider: ProviderRequest, request: ApiRequest, draft: ScimDraft): Promise<ProvisionedUser> {
    const { organizationId } = provider;
    return this.run(provider, request, undefined, async () => {
      if (draft.active === false) throw invalidValue('A user is created active.');
      const found = await this.provisioned.find(organizationId, draft.userName);
      if (found?.role === null) throw removedBefore(found.userId);
      const userId = found?.userId ?? (await this.join(organizationId, draft));
      await this.provisioned.link(organizationId, userId, draft.externalId ?? null);
      this.unitOfWork.note({ resourceId: String(userId), metadata: { external_id: draft.externalId } });
      return this.provisioned.get(organizationId, userId);
    });
  }

  change(
    provider: ProviderRequest,
    request: ApiRequest,
    userId: number,
    { active, externalId }: ScimChange,
  ): Promise<ProvisionedUser> {
    const { organizationId } = provider;
    return this.run(provider, request, userId, async () => {
      const { role, removedRole } = await this.provisioned.get(organizationId, userId);
      this.unitOfWork.note({ metadata: { active, external_id: externalId } });
      if (externalId !== undefined) await this.provisioned.link(organizationId, userId, externalId);
      if (active === false && role !== null) await this.provisioned.remove(organizationId, userId, role);
      if (active === true && role === null && removedRole !== null)
        await this.provisioned.add(organizationId, userId, removedRole);
      return this.provisioned.get(organizationId, userId);
    });
  }

  /** The membership is not restored after this. The user stays: it may belong to others. */
  delete(provider: ProviderRequest, request: ApiRequest, userId: number): Promise<void> {
    const { organizationId } = provider;
    return this.run(provider, request, userId, async () => {
      const { role } = await this.provisioned.get(organizationId, userId);
      if (role !== null) await this.provisioned.remove(organizationId, userId, role);
      await this.provisioned.forget(organizationId, userId);
    });
  }

  /** By the rule of a first sign-in: only with a verified domain, and never a user who has anything elsewhere. */
  private async join(organizationId: number, { userName: email, name }: ScimDraft): Promise<number> {
    const domain = domainOfAddress(email);
    if (!(await this.domains.isVerifiedFor(organizationId, domain))) throw domainNotVerified(domain);
    const provider = await this.providers.findOf(organizationId);
    const role = provider === undefined ? null : roleOfGroups(provider, []);
    if (role === null) throw defaultRoleMissing();
    if (!(await this.members.isUser(email))) return this.members.create(organizationId, { email, name, role });
    const unclaimed = await this.provisioned.findUnclaimedUser(organizationId, email);
    if (unclaimed === undefined) throw addressTaken();
    await this.provisioned.add(organizationId, unclaimed, role);
    return unclaimed;
  }

  /** In the order of all changes of members of the organization, with an entry in its audit log. */
  private run<T>(
    provider: ProviderRequest,
    request: ApiRequest,
    userId: number | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.unitOfWork.run(descriptionOf(provider, request, userId), scopeOf(provider), async () => {
      await this.members.lock(provider.organizationId);
      return work();
    });
  }
}
