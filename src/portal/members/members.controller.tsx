import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import { PageQueryOf } from '../../platform/http/page-query';
import {
  ChangeMemberRequest,
  CreateInvitationRequest,
  InvitationsService,
  MAX_GROUPS,
  MemberGroupsService,
  MemberKeysService,
  MembersService,
  PasswordResetsService,
  SecondFactorService,
} from '../../modules/identity';
import type { Caller } from '../../platform/api/caller';
import { Page, SeeOther } from '../frame/page';
import type { PortalRequest } from '../http/portal-request';
import { InOrganization } from '../http/in-organization';
import type { Place, RecordPlace } from '../http/places';
import { Changes, PostChange } from '../http/route-metadata';
import { membersUrl } from '../urls';
import { shownMembers } from './member-groups';
import { MembersPage, type NewLink } from './members-page';

class MembersQuery extends PageQueryOf(100) {}

interface Shown {
  readonly query?: MembersQuery;
  readonly url?: string;
  readonly link?: NewLink;
}

@Controller('o/:organization/settings/members')
export class MembersPageController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly resets: PasswordResetsService,
    private readonly memberKeys: MemberKeysService,
    private readonly secondFactor: SecondFactorService,
    private readonly groups: MemberGroupsService,
  ) {}

  @Get()
  show(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: MembersQuery,
    @Req() { originalUrl }: PortalRequest,
  ): Promise<Page> {
    return this.page(caller, organizationId, { query, url: originalUrl });
  }

  @PostChange('invitations', { operation: 'invitation.create', resource: 'invitation' })
  async invite(
    @InOrganization() { caller, organizationId }: Place,
    @Body() form: CreateInvitationRequest,
  ): Promise<Page> {
    const { invitation, handed } = await this.invitations.create(caller, organizationId, form);
    const { email } = invitation;
    return this.page(caller, organizationId, {
      link: { kind: 'invitation', email, handed },
    });
  }

  @Post('invitations/:invitation_id/revoke')
  @Changes({ operation: 'invitation.revoke', resource: 'invitation', id: 'invitation_id' })
  async revokeInvitation(
    @InOrganization('invitation_id') { caller, organizationId, id }: RecordPlace,
  ): Promise<SeeOther> {
    await this.invitations.revoke(caller, organizationId, id);
    return new SeeOther(membersUrl(organizationId));
  }

  @PostChange(':user_id/role', { operation: 'membership.change', resource: 'membership', id: 'user_id' })
  async changeRole(
    @InOrganization('user_id') { caller, organizationId, id: userId }: RecordPlace,
    @Body() { role }: ChangeMemberRequest,
  ): Promise<SeeOther> {
    await this.members.changeRole(caller, organizationId, userId, role);
    return new SeeOther(membersUrl(organizationId));
  }

  @PostChange(':user_id/remove', { operation: 'membership.delete', resource: 'membership', id: 'user_id' })
  async remove(@InOrganization('user_id') { caller, organizationId, id: userId }: RecordPlace): Promise<SeeOther> {
    await this.members.remove(caller, organizationId, userId);
    return new SeeOther(userId === caller.facts.userId ? '/' : membersUrl(organizationId));
  }

  @PostChange(':user_id/password-link', { operation: 'password_reset.create', resource: 'password_reset' })
  async createPasswordLink(
    @InOrganization('user_id') { caller, organizationId, id: userId }: RecordPlace,
  ): Promise<Page> {
    const handed = await this.resets.create(caller, organizationId, userId);
    const { email } = await this.members.get(organizationId, userId);
    return this.page(caller, organizationId, { link: { kind: 'password', email, handed } });
  }

  @PostChange('keys/seen', { operation: 'api_key.seen_by_owner', resource: 'organization', id: 'organization' })
  async markKeysShown(@InOrganization() { caller, organizationId }: Place): Promise<SeeOther> {
    await this.memberKeys.markShown(caller, organizationId);
    return new SeeOther(membersUrl(organizationId));
  }

  @PostChange('keys/:key_id/close', { operation: 'api_key.close_organization', resource: 'api_key', id: 'key_id' })
  async closeKey(@InOrganization('key_id') { caller, organizationId, id: keyId }: RecordPlace): Promise<SeeOther> {
    await this.memberKeys.close(caller, organizationId, keyId);
    return new SeeOther(membersUrl(organizationId));
  }

  @PostChange(':user_id/totp-reset', { operation: 'second_factor.remove', resource: 'second_factor', id: 'user_id' })
  async resetSecondFactor(
    @InOrganization('user_id') { caller, organizationId, id: userId }: RecordPlace,
  ): Promise<SeeOther> {
    await this.secondFactor.resetOfMember(caller, organizationId, userId);
    return new SeeOther(membersUrl(organizationId));
  }

  private async page(
    caller: Caller,
    organizationId: number,
    { query = new MembersQuery(), url = membersUrl(organizationId), link }: Shown,
  ): Promise<Page> {
    const page = query.slice;
    const slice = await this.members.list(caller.scope, organizationId, page);
    const { items: groups } = await this.groups.list(caller.scope, organizationId, { page: 1, perPage: MAX_GROUPS });
    const named = await this.members.listOfVisible(organizationId, groups.flatMap(shownMembers));
    const groupMembers = new Map(named.map((member) => [member.userId, member]));
    const isAdmin = caller.hasRole('admin', organizationId);
    const isOwner = caller.hasRole('owner', organizationId);
    const invitations = isOwner ? await this.invitations.listOpen(caller, organizationId) : [];
    const keys = await this.memberKeys.listNotShown(caller, organizationId);
    const { userId } = caller.facts;
    const { isMailed } = this.invitations;
    return new Page(
      'Settings',
      <MembersPage
        {...{
          link,
          organizationId,
          page,
          slice,
          invitations,
          keys,
          userId,
          isMailed,
          url,
          groups,
          groupMembers,
          isAdmin,
          isOwner,
        }}
      />,
      'settings',
      { tabTitle: 'Members' },
    );
  }
}
