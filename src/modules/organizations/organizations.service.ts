import { Injectable } from '@nestjs/common';
import { normalizeName } from '../../kernel/normalize-name';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import { OwnerOf } from '../../platform/audit/resource-owners';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { Work } from '../../platform/work/work';
import type { Organization } from './data/organization.entity';
import {
  type AcceptanceSetting,
  type ObservationSetting,
  OrganizationsRepository,
} from './data/organizations.repository';
import {
  onlyIntegrators,
  organizationAmbiguous,
  organizationNotFound,
  organizationsLimitReached,
} from './domain/organization.errors';
import { PURGE_KIND } from './work/organization-purge';

/** Unless the operator has set another limit. */
const MAX_OF_INTEGRATOR = 10_000;

export interface OrganizationDraft {
  readonly name: string;
  readonly assetsLimit: number | null;
}

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly work: Work,
  ) {}

  @OwnerOf('organization')
  async ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return (await this.organizations.findOne(scope, Number(id)))?.id;
  }

  @OwnerOf('unnamed')
  async ownerOfUnnamed(scope: Scope): Promise<number | undefined> {
    return (await this.onlyOne(scope))?.id;
  }

  async get(scope: Scope, id: number): Promise<Organization> {
    return orThrow(await this.organizations.findOne(scope, id), organizationNotFound);
  }

  find(scope: Scope, id: number): Promise<Organization | undefined> {
    return this.organizations.findOne(scope, id);
  }

  /** Without a scope: only for the operator, whose settings name organizations. */
  isDeleted(id: number): Promise<boolean> {
    return this.organizations.isDeleted(id);
  }

  /** The organization with the lowest id. */
  async findFirst(scope: Scope): Promise<Organization | undefined> {
    const [first] = await this.organizations.firstTwo(scope);
    return first;
  }

  list(scope: Scope, page: Page): Promise<Slice<Organization>> {
    return this.organizations.listFor(scope, page);
  }

  /** The organization with this id. Without an id, the only organization in the scope. */
  async resolve(scope: Scope, id: number | null | undefined): Promise<Organization> {
    if (id !== null && id !== undefined) return this.get(scope, id);
    return orThrow(await this.onlyOne(scope), organizationAmbiguous);
  }

  /** The organization of a scope with exactly one. */
  async onlyOne(scope: Scope): Promise<Organization | undefined> {
    const [first, second] = await this.organizations.firstTwo(scope);
    return second === undefined ? first : undefined;
  }

  /** Like `resolve`, but an integrator may also read the audit log of an organization that it deleted. */
  async resolveForAudit(scope: Scope, id: number | undefined): Promise<Organization> {
    if (id === undefined) return this.resolve(scope, undefined);
    return orThrow(await this.organizations.findAuditable(scope, id), organizationNotFound);
  }

  /** Locks it against deletion until the transaction ends. Call this before adding a record to an organization. */
  async lockForShare(scope: Scope, id: number): Promise<Organization> {
    return orThrow(await this.organizations.lockForShare(scope, id), organizationNotFound);
  }

  /** Like `lockForShare`, but exclusive, for limits that count existing records before adding one. */
  async lockForCounting(scope: Scope, id: number): Promise<Organization> {
    return orThrow(await this.organizations.lockForNoKeyUpdate(scope, id), organizationNotFound);
  }

  async saveSecondLookHoursOfLocked(id: number, hours: number | null): Promise<void> {
    await this.organizations.saveSecondLookHours(id, hours);
  }

  async saveRefusalsOfLocked(id: number, countAsFixed: boolean): Promise<void> {
    await this.organizations.saveRefusals(id, countAsFixed);
  }

  async saveMcpWriteOfLocked(id: number, mayWrite: boolean): Promise<void> {
    await this.organizations.saveMcpWrite(id, mayWrite);
  }

  async saveSecondApprovalOfLocked(id: number, isNeeded: boolean): Promise<void> {
    await this.organizations.saveSecondApproval(id, isNeeded);
  }

  async saveAcceptanceOfLocked(id: number, setting: AcceptanceSetting): Promise<void> {
    await this.organizations.saveAcceptance(id, setting);
  }

  async saveObservationOfLocked(id: number, setting: ObservationSetting): Promise<void> {
    await this.organizations.saveObservation(id, setting);
  }

  /** The home of the organization no longer shows its first steps. */
  async endChecklist(caller: Caller, id: number): Promise<void> {
    await this.lockForCounting(caller.scope, id);
    this.unitOfWork.note({ organizationId: id });
    caller.requireRole('admin', id);
    await this.organizations.endChecklist(id);
  }

  createFor(caller: Caller, draft: OrganizationDraft): Promise<number> {
    if (caller.integrator === null) throw onlyIntegrators();
    return this.create(caller.integrator.id, draft);
  }

  /** Creates an organization of an integrator, or one without an integrator for the operator. */
  async create(integratorId: number | null, { name, assetsLimit }: OrganizationDraft): Promise<number> {
    const limit =
      integratorId === null ? null : ((await this.organizations.lockLimitOf(integratorId)) ?? MAX_OF_INTEGRATOR);
    const id = await this.organizations.save({ name, foldedName: normalizeName(name), integratorId, assetsLimit });
    if (integratorId !== null && limit !== null) await this.requireWithinLimit(limit, integratorId);
    this.unitOfWork.note({ resourceId: String(id), organizationId: id, metadata: { name, assets_limit: assetsLimit } });
    return id;
  }

  deleteFor(caller: Caller, id: number): Promise<Organization> {
    if (caller.integrator === null) throw onlyIntegrators();
    return this.delete(caller, id);
  }

  /** The organization is inaccessible at once; the worker purges its data. */
  async delete(caller: Caller, id: number): Promise<Organization> {
    const organization = orThrow(await this.organizations.lockOne(caller.scope, id), organizationNotFound);
    this.unitOfWork.note({ organizationId: id, metadata: { name: organization.name } });
    await this.organizations.markDeleted(id);
    await this.work.cancelAllOf(id);
    await this.work.enqueue({ kind: PURGE_KIND, reference: String(id) });
    return organization;
  }

  /** After the insert, so that a taken name is reported first. The lock of the integrator makes the count exact. */
  private async requireWithinLimit(limit: number, integratorId: number): Promise<void> {
    if ((await this.organizations.countOf(integratorId)) > limit) throw organizationsLimitReached(limit);
  }
}
