import { Injectable, type OnModuleInit } from '@nestjs/common';
import { normalizeName } from '../../kernel/normalize-name';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { ResourceOwners } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { Work } from '../../platform/work/work';
import type { Organization } from './data/organization.entity';
import { OrganizationsRepository } from './data/organizations.repository';
import {
  onlyIntegrators,
  organizationAmbiguous,
  organizationNotFound,
  organizationsLimitReached,
} from './domain/organization.errors';
import { purgeKind } from './work/organization-purge';

export interface OrganizationDraft {
  readonly name: string;
  readonly assetsLimit: number | null;
}

@Injectable()
export class OrganizationsService implements OnModuleInit {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly work: Work,
    private readonly owners: ResourceOwners,
  ) {}

  onModuleInit(): void {
    this.owners.register(
      'organization',
      async (scope, id) => (await this.organizations.findOne(scope, Number(id)))?.id,
    );
    this.owners.registerSingleOrganization(async (scope) => (await this.onlyOne(scope))?.id);
  }

  async get(scope: Scope, id: number): Promise<Organization> {
    return orThrow(await this.organizations.findOne(scope, id), organizationNotFound);
  }

  list(scope: Scope, page: Page): Promise<Slice<Organization>> {
    return this.organizations.listFor(scope, page);
  }

  /** The organization that is named, or the only one there is to name. */
  async resolve(scope: Scope, id: number | null | undefined): Promise<Organization> {
    if (id !== null && id !== undefined) return this.get(scope, id);
    return orThrow(await this.onlyOne(scope), organizationAmbiguous);
  }

  /** The one organization that a scope holds, if it holds exactly one. */
  async onlyOne(scope: Scope): Promise<Organization | undefined> {
    const [first, second] = await this.organizations.firstTwo(scope);
    return second === undefined ? first : undefined;
  }

  /** As `resolve`, for the audit log alone: an integrator may still read that of an organization it deleted. */
  async resolveForAudit(scope: Scope, id: number | undefined): Promise<Organization> {
    if (id === undefined) return this.resolve(scope, undefined);
    return orThrow(await this.organizations.findAuditable(scope, id), organizationNotFound);
  }

  /** Locks it against deletion until the transaction ends: whoever adds something to an organization asks for it so. */
  async lockForShare(scope: Scope, id: number): Promise<Organization> {
    return orThrow(await this.organizations.lockForShare(scope, id), organizationNotFound);
  }

  /** As `hold`, but one after the other: for who counts what is there before adding to it. */
  async lockForCounting(scope: Scope, id: number): Promise<Organization> {
    return orThrow(await this.organizations.lockForNoKeyUpdate(scope, id), organizationNotFound);
  }

  createFor(caller: Caller, draft: OrganizationDraft): Promise<number> {
    if (caller.integrator === null) throw onlyIntegrators();
    return this.create(caller.integrator.id, draft);
  }

  /** Creates one for an integrator, or, for the operator, one that belongs to nobody. */
  async create(integratorId: number | null, { name, assetsLimit }: OrganizationDraft): Promise<number> {
    const limit = integratorId === null ? null : await this.organizations.lockLimitOf(integratorId);
    const id = await this.organizations.save({ name, foldedName: normalizeName(name), integratorId, assetsLimit });
    if (integratorId !== null && limit !== null) await this.requireWithinLimit(limit, integratorId);
    this.unitOfWork.note({ resourceId: String(id), organizationId: id, metadata: { name, assets_limit: assetsLimit } });
    return id;
  }

  /** Gone for everybody at once; what it held is purged by the worker. */
  async delete(caller: Caller, id: number): Promise<Organization> {
    const organization = orThrow(await this.organizations.lockOne(caller.scope, id), organizationNotFound);
    this.unitOfWork.note({ organizationId: id, metadata: { name: organization.name } });
    await this.organizations.markDeleted(id);
    await this.work.cancelAllOf(id);
    await this.work.enqueue({ kind: purgeKind, reference: String(id) });
    return organization;
  }

  /** After the insert, so that a name that is taken is said first; the integrator's lock makes the count exact. */
  private async requireWithinLimit(limit: number, integratorId: number): Promise<void> {
    if ((await this.organizations.countOf(integratorId)) > limit) throw organizationsLimitReached(limit);
  }
}
