import type { VNode } from 'preact';
import { type Role, roles } from '../../kernel/role';
import type { Member } from '../../modules/identity';
import { Form, Select } from '../frame/form';
import { Panel } from '../frame/panel';
import { labelOf } from '../frame/words';
import { membersUrl } from '../urls';

const RIGHTS: Readonly<Record<Role, string>> = {
  viewer: 'reads findings, assets and reports',
  member: 'also changes assets and findings, and starts scans, retests and reports',
  admin: 'also manages events and beacons, deletes, accepts risks, and reads the audit log',
  owner: 'also manages the members',
};

export const ROLES = roles.map((role) => ({ value: role, label: `${labelOf(role)}: ${RIGHTS[role]}` }));

interface MemberActionsProps {
  readonly member: Member;
  readonly organizationId: number;
  readonly isOwner: boolean;
  /** The caller. */
  readonly userId: number;
  /** Whether links are sent by mail. */
  readonly isMailed: boolean;
}

export function MemberActions({ member, organizationId, isOwner, userId: ownId, isMailed }: MemberActionsProps): VNode {
  const { userId, email, role } = member;
  const isSelf = userId === ownId;
  const base = membersUrl(organizationId);
  return (
    <div class="actions">
      {isOwner && (
        <Panel label="Change role" of={email} action={`${base}/${userId}/role`}>
          <Select name="role" id={`role-${userId}`} label="Role" options={ROLES} value={role} />
          <button>Change the role</button>
        </Panel>
      )}
      {isOwner && !isSelf && (
        <Panel label="Sign-in" of={email}>
          <p>
            For a member who cannot sign in.{' '}
            {isMailed ? 'The link goes to their address. The app and passkeys are turned off' : 'Both work'} only for
            people who belong to this organization alone.
          </p>
          {!isMailed && (
            <p>
              A password that is set with the link ends their sessions and API keys, and their address is not proved any
              more.
            </p>
          )}
          <Form action={`${base}/${userId}/password-link`}>
            <button>{isMailed ? 'Send a link for a new password' : 'Create a password link'}</button>
          </Form>
          <br />
          <Form action={`${base}/${userId}/totp-reset`}>
            <button>Turn off their app and passkeys</button>
          </Form>
        </Panel>
      )}
      <Panel label={isSelf ? 'Leave' : 'Remove'} of={email} action={`${base}/${userId}/remove`}>
        <p>
          {isSelf ? 'You lose' : 'They lose'} access at once, and keys that are limited to this organization are
          revoked.
        </p>
        <button class="danger">{isSelf ? 'Leave the organization' : 'Remove the member'}</button>
      </Panel>
    </div>
  );
}
