import { Body, Controller, Get, Post, Query, Req } from '@nestjs/common';
import {
  ChangeMemberRequest,
  CreateInvitationRequest,
  InvitationsService,
  MembersService,
  PasswordResetsService,
  SecondFactorService,
} from '../../modules/identity';
import type { Caller } from '../../platform/api/caller';
import { CurrentCaller } from '../../platform/http/caller.decorator';
import { PathId } from '../../platform/http/path-id';
import { Page, SeeOther } from '../frame/page';
import { GivenForm } from '../http/given-form';
import type { PortalRequest } from '../http/portal-request';
import { orShowAgain } from '../http/refused-form';
import { Changes } from '../http/route-metadata';
import { MembersPage, type ShownMembers } from './members-page';
import { MembersQuery } from './members.requests';

type Shown = Pick<ShownMembers, 'problem' | 'given' | 'link'> & { readonly query?: MembersQuery };

const membersUrl = (organizationId: number): string => `/o/${organizationId}/settings/members`;

@Controller('o/:organization/settings/members')
export class MembersPageController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
    private readonly resets: PasswordResetsService,
    private readonly secondFactor: SecondFactorService,
  ) {}

  @Get()
  show(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Query() query: MembersQuery,
    @Req() { originalUrl }: PortalRequest,
  ): Promise<Page> {
    return this.page(caller, organizationId, { query }, originalUrl);
  }

  @Post('invitations')
  @Changes({ operation: 'invitation.create', resource: 'invitation' })
  invite(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @Body() given: GivenForm,
  ): Promise<Page> {
    return orShowAgain(
      async () => {
        const { invitation, link } = await this.invitations.create(
          caller,
          organizationId,
          await given.read(CreateInvitationRequest),
        );
        return this.page(caller, organizationId, {
          link: { kind: 'invitation', email: invitation.email, url: link, expires: invitation.expires },
        });
      },
      (problem) => this.page(caller, organizationId, { problem, given }),
    );
  }

  @Post('invitations/:invitation_id/revoke')
  @Changes({ operation: 'invitation.revoke', resource: 'invitation', id: 'invitation_id' })
  revokeInvitation(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('invitation_id') id: number,
  ): Promise<Page | SeeOther> {
    return this.orAgain(caller, organizationId, () => this.invitations.revoke(caller, organizationId, id));
  }

  @Post(':user_id/role')
  @Changes({ operation: 'membership.change', resource: 'membership', id: 'user_id' })
  changeRole(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('user_id') userId: number,
    @Body() given: GivenForm,
  ): Promise<Page | SeeOther> {
    return this.orAgain(caller, organizationId, async () => {
      const { role } = await given.read(ChangeMemberRequest);
      await this.members.changeRole(caller, organizationId, userId, role);
    });
  }

  @Post(':user_id/remove')
  @Changes({ operation: 'membership.delete', resource: 'membership', id: 'user_id' })
  remove(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('user_id') userId: number,
  ): Promise<Page | SeeOther> {
    const next = userId === caller.facts.userId ? '/' : membersUrl(organizationId);
    return this.orAgain(caller, organizationId, () => this.members.remove(caller, organizationId, userId), next);
  }

  @Post(':user_id/password-link')
  @Changes({ operation: 'password_reset.create', resource: 'password_reset' })
  createPasswordLink(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('user_id') userId: number,
  ): Promise<Page> {
    return orShowAgain(
      async () => {
        const { link, expires } = await this.resets.create(caller, organizationId, userId);
        const { email } = await this.members.get(organizationId, userId);
        return this.page(caller, organizationId, { link: { kind: 'password', email, url: link, expires } });
      },
      (problem) => this.page(caller, organizationId, { problem }),
    );
  }

  @Post(':user_id/totp-reset')
  @Changes({ operation: 'second_factor.remove', resource: 'second_factor', id: 'user_id' })
  resetSecondFactor(
    @CurrentCaller() caller: Caller,
    @PathId('organization') organizationId: number,
    @PathId('user_id') userId: number,
  ): Promise<Page | SeeOther> {
    return this.orAgain(caller, organizationId, () => this.secondFactor.resetOfMember(caller, organizationId, userId));
  }

  private orAgain(
    caller: Caller,
    organizationId: number,
    work: () => Promise<unknown>,
    next = membersUrl(organizationId),
  ): Promise<Page | SeeOther> {
    return orShowAgain(
      async () => {
        await work();
        return new SeeOther(next);
      },
      (problem) => this.page(caller, organizationId, { problem }),
    );
  }

  private async page(
    caller: Caller,
    organizationId: number,
    { query = new MembersQuery(), ...shown }: Shown,
    url = membersUrl(organizationId),
  ): Promise<Page> {
    const page = query.slice;
    const slice = await this.members.list(caller.scope, organizationId, page);
    const isOwner = caller.hasRole('owner', organizationId);
    const invitations = isOwner ? await this.invitations.listOpen(caller, organizationId) : [];
    const { userId } = caller.facts;
    const { isMailed } = this.invitations;
    return new Page(
      'Settings',
      <MembersPage {...{ ...shown, organizationId, page, slice, invitations, isOwner, userId, isMailed, url }} />,
      'settings',
      { tabTitle: 'Members' },
    );
  }
}
