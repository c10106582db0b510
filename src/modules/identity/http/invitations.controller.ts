import { Body, Controller, Query } from '@nestjs/common';
import { Acknowledgement, done } from '../../../platform/http/acknowledgement';
import { InOrganization, type Place, type RecordPlace } from '../../../platform/http/in-organization';
import { Operation } from '../../../platform/http/operation';
import { PageQuery } from '../../../platform/http/page-query';
import { PagedBody } from '../../../platform/http/paged-body';
import { InvitationsService } from '../invitations.service';
import { CreateInvitationRequest } from './invitation.requests';
import {
  InvitationListResponse,
  InvitationResponse,
  invitationExample,
  presentInvitation,
} from './invitation.responses';

@Controller()
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Operation('POST /v1/organizations/{organization_id}/invitations/', {
    id: 'createInvitation',
    tag: 'Members',
    summary: 'Invite a person to an organization',
    description:
      'If the service sends mail, the link goes to the address alone. Without mail only this response contains it: hand it over to the person. It works once, within seven days, as long as you may invite. A new invitation of the same address replaces the earlier one. An organization has at most 100 open invitations.',
    role: 'owner',
    body: { example: { email: invitationExample.email, role: invitationExample.role } },
    success: {
      status: 201,
      description: 'The invitation, with its link.',
      body: InvitationResponse,
      example: {
        ...invitationExample,
        link: 'https://assay.example.com/invitations/R29vZCB0b2tlbnMgYXJlIHJhbmRvbSwgdW5saWtlIHRoaXM',
      },
      secrets: ['link'],
    },
    errors: [400, 401, 403, 404, 409, 422],
    audit: { operation: 'invitation.create', resource: 'invitation' },
  })
  async create(
    @InOrganization() { caller, organizationId }: Place,
    @Body() body: CreateInvitationRequest,
  ): Promise<InvitationResponse> {
    const created = await this.invitations.create(caller, organizationId, body);
    return presentInvitation(created, created.handed?.link);
  }

  @Operation('GET /v1/organizations/{organization_id}/invitations/', {
    id: 'listInvitations',
    tag: 'Members',
    summary: 'List the invitations of an organization',
    description: 'An invitation is deleted 30 days after its expiry.',
    role: 'owner',
    query: PageQuery,
    success: {
      description: 'The invitations, newest first.',
      body: InvitationListResponse,
      example: { invitations: [invitationExample] },
      paged: true,
    },
  })
  async list(
    @InOrganization() { caller, organizationId }: Place,
    @Query() query: PageQuery,
  ): Promise<PagedBody<InvitationListResponse>> {
    const page = query.slice;
    const slice = await this.invitations.list(caller, organizationId, page);
    return new PagedBody({ invitations: slice.items.map((item) => presentInvitation(item)) }, page, slice);
  }

  @Operation('DELETE /v1/organizations/{organization_id}/invitations/{invitation_id}', {
    id: 'revokeInvitation',
    tag: 'Members',
    summary: 'Revoke an invitation',
    role: 'owner',
    success: {
      description: 'The link no longer works.',
      body: Acknowledgement,
      example: { code: 200, description: 'Invitation revoked.', id: 3, success: true },
    },
    errors: [401, 403, 404, 409],
    audit: { operation: 'invitation.revoke', resource: 'invitation', id: 'invitation_id' },
  })
  async revoke(@InOrganization('invitation_id') { caller, organizationId, id }: RecordPlace): Promise<Acknowledgement> {
    await this.invitations.revoke(caller, organizationId, id);
    return done('Invitation revoked.', id);
  }
}
