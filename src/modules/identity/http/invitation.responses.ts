import { roles } from '../../../kernel/role';
import { ResponseField } from '../../../platform/api/response-field';
import { INVITATION_STATES } from '../domain/invitation-state';
import type { InvitationView } from '../invitations.service';

export class InvitationResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  email!: string;

  @ResponseField.string({ enum: roles })
  role!: string;

  @ResponseField.string({
    enum: INVITATION_STATES,
    description: '`invalid`: the person who sent it may no longer invite.',
  })
  state!: string;

  @ResponseField.integer({ description: 'The id of the user who sent it.' })
  invited_by!: number;

  @ResponseField.instant()
  created!: string;

  @ResponseField.instant()
  expires!: string;

  @ResponseField.string({
    nullable: true,
    description:
      'Opens the page where the person accepts. Shown only once, in the response to the creation. Null if it was sent by mail.',
  })
  link!: string | null;
}

export class InvitationListResponse {
  @ResponseField.list(InvitationResponse)
  invitations!: InvitationResponse[];
}

export const invitationExample = {
  id: 3,
  email: 'olga@example.com',
  role: 'admin',
  state: 'open',
  invited_by: 1,
  created: '2026-01-31T12:00:00.000Z',
  expires: '2026-02-07T12:00:00.000Z',
  link: null,
};

export const presentInvitation = ({ invitation, state }: InvitationView, link: string | null = null) => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  state,
  invited_by: invitation.invitedBy,
  created: invitation.created.toISOString(),
  expires: invitation.expires.toISOString(),
  link,
});
