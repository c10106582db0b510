import { Body, Controller, Query } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
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
  presentMember,
  presentPasswordReset,
} from './member.responses';
import * as operations from './members.operations';

@Controller()
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly resets: PasswordResetsService,
  ) {}

  @operations.listMembers
  async list(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @Query() query: PageQuery,
  ): Promise<PagedBody<MemberListResponse>> {
    const page = query.slice;
    const slice = await this.members.list(caller.scope, organizationId, page);
    return new PagedBody({ members: slice.items.map(presentMember) }, page, slice);
  }

  @operations.changeMember
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('user_id') userId: number,
    @Body() { role }: ChangeMemberRequest,
  ): Promise<MemberResponse> {
    return presentMember(await this.members.changeRole(caller, organizationId, userId, role));
  }

  @operations.removeMember
  async remove(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('user_id') userId: number,
  ): Promise<Acknowledgement> {
    await this.members.remove(caller, organizationId, userId);
    return done('Member removed.', userId);
  }

  @operations.createPasswordReset
  async resetPassword(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') organizationId: number,
    @PathId('user_id') userId: number,
  ): Promise<PasswordResetResponse> {
    return presentPasswordReset(await this.resets.create(caller, organizationId, userId));
  }
}
