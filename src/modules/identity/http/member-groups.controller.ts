import { Body, Controller, Query } from '@nestjs/common';
import { ResponseField } from '../../../platform/api/response-field';
import { Acknowledgement, created, deleted } from '../../../platform/http/acknowledgement';
import { type FieldOptions, ListOf, Name } from '../../../platform/http/fields';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { operationsTagged } from '../../../platform/http/operation';
import { PageQuery } from '../../../platform/http/page-query';
import { PagedBody } from '../../../platform/http/paged-body';
import type { GroupOfMembers } from '../data/member-groups.repository';
import { MAX_GROUP_MEMBERS, MAX_GROUP_NAME_LENGTH, MAX_GROUPS, MemberGroupsService } from '../member-groups.service';

const MAX_ID = 2_147_483_647;

const MemberIds = (options?: FieldOptions): PropertyDecorator =>
  ListOf(
    {
      check: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_ID,
      sentence: 'is the id of a user',
      items: { type: 'integer', minimum: 1, maximum: MAX_ID },
      unique: true,
    },
    0,
    MAX_GROUP_MEMBERS,
    { description: 'Users who are members of the organization.', ...options },
  );

export class CreateGroupRequest {
  @Name(MAX_GROUP_NAME_LENGTH)
  name!: string;

  @MemberIds({ optional: true, default: [] })
  member_ids?: number[];
}

export class ChangeGroupRequest {
  @Name(MAX_GROUP_NAME_LENGTH, { optional: true })
  name?: string;

  @MemberIds({ optional: true })
  member_ids?: number[];
}

class GroupResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  name!: string;

  @ResponseField.integers({ description: 'The users in it.' })
  member_ids!: number[];
}

class GroupListResponse {
  @ResponseField.list(GroupResponse)
  groups!: GroupResponse[];
}

const present = ({ id, name, memberIds }: GroupOfMembers): GroupResponse => ({ id, name, member_ids: [...memberIds] });

const example: GroupResponse = { id: 3, name: 'Team Shop', member_ids: [12, 15] };
const operation = operationsTagged('Members');
const audited = { resource: 'member_group', id: 'group_id' } as const;

@Controller()
export class MemberGroupsController {
  constructor(private readonly groups: MemberGroupsService) {}

  @operation('GET /v1/organizations/{organization_id}/groups/', {
    id: 'listGroups',
    summary: 'List the groups of members of an organization',
    description: 'A group may own assets, as `group:` with its id.',
    role: 'viewer',
    query: PageQuery,
    success: {
      description: 'The groups, newest first.',
      body: GroupListResponse,
      example: { groups: [example] },
      paged: true,
    },
  })
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: PageQuery,
  ): Promise<PagedBody<GroupListResponse>> {
    const page = query.slice;
    const slice = await this.groups.list(caller.scope, organizationId, page);
    return new PagedBody({ groups: slice.items.map(present) }, page, slice);
  }

  @operation('POST /v1/organizations/{organization_id}/groups/', {
    id: 'createGroup',
    summary: 'Create a group of members',
    description: `An organization has at most ${MAX_GROUPS} groups.`,
    role: 'admin',
    body: { example: { name: example.name, member_ids: example.member_ids } },
    success: {
      status: 201,
      description: 'The group was created.',
      body: Acknowledgement,
      example: { code: 201, description: 'Group created.', id: 3, success: true },
    },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'member_group.create', resource: 'member_group' },
  })
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { name, member_ids: memberIds = [] }: CreateGroupRequest,
  ): Promise<Acknowledgement> {
    return created('Group', await this.groups.create(caller, organizationId, { name, memberIds }));
  }

  @operation('GET /v1/organizations/{organization_id}/groups/{group_id}', {
    id: 'getGroup',
    summary: 'Read a group of members',
    role: 'viewer',
    entityTag: true,
    success: { description: 'The group.', body: GroupResponse, example },
  })
  async get(@InOrganization('group_id') { caller, organizationId, id }: RecordPlace): Promise<GroupResponse> {
    return present(await this.groups.get(caller.scope, organizationId, id));
  }

  @operation('PATCH /v1/organizations/{organization_id}/groups/{group_id}', {
    id: 'changeGroup',
    summary: 'Change the name or the members of a group',
    description: 'Fields that are absent stay as they are.',
    role: 'admin',
    body: { example: { member_ids: example.member_ids } },
    ifMatch: 'getGroup',
    success: { description: 'The group after the change.', body: GroupResponse, example },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'member_group.change', ...audited },
  })
  async change(
    @InOrganization('group_id') { caller, organizationId, id }: RecordPlace,
    @Body() { name, member_ids: memberIds }: ChangeGroupRequest,
  ): Promise<GroupResponse> {
    await this.groups.change(caller, organizationId, id, { name, memberIds });
    return present(await this.groups.get(caller.scope, organizationId, id));
  }

  @operation('DELETE /v1/organizations/{organization_id}/groups/{group_id}', {
    id: 'deleteGroup',
    summary: 'Delete a group of members',
    description: 'Its assets have no owner then, as the audit entry lists.',
    role: 'admin',
    ifMatch: 'getGroup',
    success: {
      description: 'The group was deleted.',
      body: Acknowledgement,
      example: { code: 200, description: 'Group deleted.', id: 3, success: true },
    },
    audit: { operation: 'member_group.delete', ...audited },
  })
  async delete(@InOrganization('group_id') { caller, organizationId, id }: RecordPlace): Promise<Acknowledgement> {
    await this.groups.remove(caller, organizationId, id);
    return deleted('Group', id);
  }
}
