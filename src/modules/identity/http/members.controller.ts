import { Body, Controller, Query } from '@nestjs/common';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { PageQuery } from '../../../platform/http/page-query';
import { PagedBody } from '../../../platform/http/paged-body';
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
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: PageQuery,
  ): Promise<PagedBody<MemberListResponse>> {
    const page = query.slice;
    const slice = await this.members.list(caller.scope, organizationId, page);
    return new PagedBody({ members: slice.items.map(presentMember) }, page, slice);
  }

  @operations.changeMember
  async change(
    @InOrganization('user_id') { caller, organizationId, id: userId }: RecordPlace,
    @Body() { role }: ChangeMemberRequest,
  ): Promise<MemberResponse> {
    return presentMember(await this.members.changeRole(caller, organizationId, userId, role));
  }

  @operations.removeMember
  async remove(
    @InOrganization('user_id') { caller, organizationId, id: userId }: RecordPlace,
  ): Promise<Acknowledgement> {
    await this.members.remove(caller, organizationId, userId);
    return done('Member removed.', userId);
  }

  @operations.createPasswordReset
  async resetPassword(
    @InOrganization('user_id') { caller, organizationId, id: userId }: RecordPlace,
  ): Promise<PasswordResetResponse> {
    return presentPasswordReset(await this.resets.create(caller, organizationId, userId));
  }
}
