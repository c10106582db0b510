import { Injectable } from '@nestjs/common';
import { notFound, unprocessable } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import type { Page, Slice } from '../../kernel/page';
import type { Caller } from '../../platform/api/caller';
import type { Scope } from '../../platform/api/scope';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { OrganizationsService } from '../organizations';
import { type GroupOfMembers, MemberGroupsRepository } from './data/member-groups.repository';
import { MembersRepository } from './data/members.repository';
import { displayNameOf } from './domain/display-name';
import { isOwner, type Owner, storedOwner } from './domain/owner';
import { OwnedRecords } from './owned-records';

export const MAX_GROUPS = 100;
export const MAX_GROUP_NAME_LENGTH = 80;
export const MAX_GROUP_MEMBERS = 500;

export interface GroupDraft {
  readonly name: string;
  readonly memberIds: readonly number[];
}

const groupNotFound = () => notFound('Group');

/** Named groups of the members of an organization, which own assets. Admins manage them. */
@Injectable()
export class MemberGroupsService {
  constructor(
    private readonly groups: MemberGroupsRepository,
    private readonly members: MembersRepository,
    private readonly owned: OwnedRecords,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list(scope: Scope, organizationId: number, page: Page): Promise<Slice<GroupOfMembers>> {
    const { id } = await this.organizations.get(scope, organizationId);
    return this.groups.listOf(id, page);
  }

  async get(scope: Scope, organizationId: number, id: number): Promise<GroupOfMembers> {
    const organization = await this.organizations.get(scope, organizationId);
    return orThrow(await this.groups.find(organization.id, id), groupNotFound);
  }

  async create(caller: Caller, organizationId: number, { name, memberIds }: GroupDraft): Promise<number> {
    const owner = await this.lock(caller, organizationId);
    const { items } = await this.groups.listOf(owner, { page: 1, perPage: MAX_GROUPS });
    if (items.length >= MAX_GROUPS)
      throw unprocessable(`The organization has ${MAX_GROUPS} groups, which is the limit. Delete one first.`);
    const id = await this.groups.add(owner, name);
    await this.saveMembers(owner, id, memberIds);
    this.unitOfWork.note({ resourceId: String(id), metadata: { name, members: memberIds } });
    return id;
  }

  /** Omitted fields do not change. */
  async change(caller: Caller, organizationId: number, id: number, change: Partial<GroupDraft>): Promise<void> {
    const owner = await this.lock(caller, organizationId);
    const { name, memberIds } = orThrow(await this.groups.find(owner, id), groupNotFound);
    await this.unitOfWork.checkCondition();
    const [from, to] = [
      { name, members: memberIds },
      { name: change.name, members: change.memberIds },
    ];
    this.unitOfWork.note({ metadata: { from, to } });
    if (change.name !== undefined) await this.groups.rename(owner, id, change.name);
    if (change.memberIds !== undefined) await this.saveMembers(owner, id, change.memberIds);
  }

  /** Its assets have no owner then. */
  async remove(caller: Caller, organizationId: number, id: number): Promise<void> {
    const owner = await this.lock(caller, organizationId);
    const { name } = orThrow(await this.groups.find(owner, id), groupNotFound);
    await this.unitOfWork.checkCondition();
    this.unitOfWork.note({ metadata: { name } });
    await this.owned.release(owner, `group:${id}`);
    await this.groups.remove(owner, id);
  }

  /** Throws if the owner is neither a member nor a group of the organization, which the caller has checked. */
  async requireOwner(organizationId: number, owner: Owner): Promise<void> {
    const { ownerUserId, ownerGroupId } = storedOwner(owner);
    const found =
      ownerUserId === null
        ? await this.groups.find(organizationId, ownerGroupId ?? 0)
        : await this.members.findOneOfVisible(organizationId, ownerUserId);
    if (found !== undefined) return;
    throw unprocessable(
      `owner ${owner} is neither a member nor a group of organization ${organizationId}. It is user: or group: with an id.`,
    );
  }

  /** Of an organization that the caller has checked; undefined for an owner that was removed. */
  async nameOf(organizationId: number, owner: string | null): Promise<string | undefined> {
    if (!isOwner(owner)) return undefined;
    const { ownerUserId, ownerGroupId } = storedOwner(owner);
    if (ownerUserId === null) return (await this.groups.find(organizationId, ownerGroupId ?? 0))?.name;
    const member = await this.members.findOneOfVisible(organizationId, ownerUserId);
    return member && displayNameOf(member);
  }

  private async saveMembers(organizationId: number, id: number, userIds: readonly number[]): Promise<void> {
    const found = await this.members.listOfVisible(organizationId, userIds);
    const missing = userIds.find((userId) => found.every((member) => member.userId !== userId));
    if (missing !== undefined)
      throw unprocessable(`member_ids: ${missing} is not the id of a member of organization ${organizationId}.`);
    await this.groups.saveMembers(organizationId, id, userIds);
  }

  private async lock(caller: Caller, organizationId: number): Promise<number> {
    const { id } = await this.organizations.lockForCounting(caller.scope, organizationId);
    this.unitOfWork.note({ organizationId: id });
    caller.requireRole('admin', id);
    return id;
  }
}
