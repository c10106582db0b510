import { operationsTagged } from '../../../platform/http/operation';
import { Acknowledgement } from '../../../platform/http/acknowledgement';
import { PageQuery } from '../../../platform/http/page-query';
import { MemberListResponse, MemberResponse, PasswordResetResponse, memberExample } from './member.responses';

const operation = operationsTagged('Members');

export const listMembers = operation('GET /v1/organizations/{organization_id}/members/', {
  id: 'listMembers',
  summary: 'List the members of an organization',
  description: 'Users of the integrator are not members.',
  role: 'viewer',
  query: PageQuery,
  success: {
    description: 'The members, newest users first.',
    body: MemberListResponse,
    example: { members: [memberExample] },
    paged: true,
  },
});

export const changeMember = operation('PATCH /v1/organizations/{organization_id}/members/{user_id}', {
  id: 'changeMember',
  summary: 'Change the role of a member',
  description: 'An organization keeps at least one owner. The role applies to all keys of the user at once.',
  role: 'owner',
  body: { example: { role: 'admin' } },
  success: { description: 'The member after the change.', body: MemberResponse, example: memberExample },
  errors: [400, 401, 403, 404, 409],
  audit: { operation: 'membership.change', resource: 'membership', id: 'user_id' },
});

export const removeMember = operation('DELETE /v1/organizations/{organization_id}/members/{user_id}', {
  id: 'removeMember',
  summary: 'Remove a member from an organization, or leave it',
  description:
    'Owners remove other members; every member may leave. An organization keeps at least one owner. The keys of the user lose access at once, and those that are limited to the organization are revoked.',
  role: 'viewer',
  success: {
    description: 'The user is no longer a member.',
    body: Acknowledgement,
    example: { code: 200, description: 'Member removed.', id: 12, success: true },
  },
  errors: [401, 403, 404, 409],
  audit: { operation: 'membership.delete', resource: 'membership', id: 'user_id' },
});

export const createPasswordReset = operation(
  'POST /v1/organizations/{organization_id}/members/{user_id}/password-reset',
  {
    id: 'createPasswordReset',
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
  },
);
