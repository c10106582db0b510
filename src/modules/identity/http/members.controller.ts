import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PageQuery } from '../../../platform/http/page-query';
import { PagedBody } from '../../../platform/http/paged-body';
import { PathId } from '../../../platform/http/path-id';
import { MembersService } from '../members.service';
import { PasswordResetsService } from '../password-resets.service';
import { ChangeMemberRequest } from './member.requests';
import {
  MemberListResponse,
  MemberResponse,
  PasswordResetResponse,
  memberExample,
  presentMember,
  presentPasswordReset,
} from './member.responses';

@Controller()
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly resets: PasswordResetsService,
  ) {}

  @Operation('GET /v1/organizations/{organization_id}/members/', {
    id: 'listMembers',
    tag: 'Members',
    summary: 'List the members of an organization',
    description: 'Users of the integrator are not members.',
    role: 'viewer',
    scope: 'read',
    query: PageQuery,
    success: {
      description: 'The members, newest users first.',
      body: MemberListResponse,
      example: { members: [memberExample] },
      paged: true,
    },
  })
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Query() query: PageQuery,
  ): Promise<PagedBody<MemberListResponse>> {
    const page = query.slice;
    const slice = await this.members.list(caller.scope, organizationId, page);
    return new PagedBody({ members: slice.items.map(presentMember) }, page, slice);
  }

  @Operation('PATCH /v1/organizations/{organization_id}/members/{user_id}', {
    id: 'changeMember',
    tag: 'Members',
    summary: 'Change the role of a member',
    description: 'An organization keeps at least one owner. The role applies to all keys of the user at once.',
    role: 'owner',
    scope: 'write',
    body: { example: { role: 'admin' } },
    success: { description: 'The member after the change.', body: MemberResponse, example: memberExample },
    errors: [400, 401, 403, 404, 409],
    audit: { operation: 'membership.change', resource: 'membership', id: 'user_id' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('user_id') userId: number,
    @Body() { role }: ChangeMemberRequest,
  ): Promise<MemberResponse> {
    return presentMember(await this.members.changeRole(caller, organizationId, userId, role));
  }

  @Operation('DELETE /v1/organizations/{organization_id}/members/{user_id}', {
    id: 'removeMember',
    tag: 'Members',
    summary: 'Remove a member from an organization, or leave it',
    description:
      'Owners remove other members; every member may leave. An organization keeps at least one owner. The keys of the user lose access at once, and those that are limited to the organization are revoked.',
    role: 'viewer',
    scope: 'write',
    success: {
      description: 'The user is no longer a member.',
      body: Acknowledgement,
      example: { code: 200, description: 'Member removed.', id: 12, success: true },
    },
    errors: [401, 403, 404, 409],
    audit: { operation: 'membership.delete', resource: 'membership', id: 'user_id' },
  })
  async remove(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('user_id') userId: number,
  ): Promise<Acknowledgement> {
    await this.members.remove(caller, organizationId, userId);
    return done('Member removed.', userId);
  }

  @Operation('POST /v1/organizations/{organization_id}/members/{user_id}/password-reset', {
    id: 'createPasswordReset',
    tag: 'Members',
    summary: 'Create a link with which a member sets a new password',
    description:
      'For another member. If the service sends mail, the link goes to the address of the member alone. Without mail it is in the response, for a member who belongs to no other organization, and replaces an earlier one: give it to the member only, because anyone who has it can sign in as them. Setting the password with it ends the sessions and API keys of the member, and their address is no longer proved. The link works once, within an hour.',
    role: 'owner',
    scope: 'write',
    success: {
      status: 201,
      description: 'The link, or nulls if it was sent by mail.',
      body: PasswordResetResponse,
      example: {
        link: 'https://assay.example.com/password-resets/R29vZCB0b2tlbnMgYXJlIHJhbmRvbSwgdW5saWtlIHRoaXM',
        expires: '2026-01-31T13:00:00.000Z',
      },
      secrets: ['link'],
    },
    errors: [401, 403, 404, 409],
    audit: { operation: 'password_reset.create', resource: 'password_reset' },
  })
  async resetPassword(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('user_id') userId: number,
  ): Promise<PasswordResetResponse> {
    return presentPasswordReset(await this.resets.create(caller, organizationId, userId));
  }
}
