import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import type { GroupOfMembers, HandedLink, InvitationView, KeyOfMember, Member } from '../../modules/identity';
import { Card } from '../frame/card';
import { Field, Form, Select } from '../frame/form';
import { Pager } from '../frame/pager';
import { Panel } from '../frame/panel';
import { Person } from '../frame/person';
import { SecretBlock } from '../frame/secret-block';
import { Settings } from '../frame/settings-tabs';
import { LastUse, Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { Table } from '../frame/table';
import { membersUrl } from '../urls';
import { Groups } from './member-groups';
import { MemberActions, ROLES } from './member-actions';

export interface NewLink {
  readonly kind: 'invitation' | 'password';
  readonly email: string;
  /** Undefined if it was sent by mail. */
  readonly handed: HandedLink | undefined;
}

interface ShownMembers {
  readonly organizationId: number;
  readonly page: Page;
  readonly slice: Slice<Member>;
  readonly invitations: readonly InvitationView[];
  readonly groups: readonly GroupOfMembers[];
  readonly groupMembers: ReadonlyMap<number, Member>;
  readonly isAdmin: boolean;
  readonly isOwner: boolean;
  /** The caller. */
  readonly userId: number;
  /** Keys that had no limit before an upgrade, for owners. */
  readonly keys: readonly KeyOfMember[];
  /** Whether links are sent by mail. */
  readonly isMailed: boolean;
  /** Shown only once. */
  readonly link?: NewLink;
  readonly url: string;
}

export function MembersPage(shown: ShownMembers): VNode {
  const { organizationId, page, slice, isOwner, link, url } = shown;
  return (
    <Settings current="members">
      {link !== undefined && <LinkBlock link={link} />}
      {shown.keys.length > 0 && <MemberKeys organizationId={organizationId} keys={shown.keys} />}
      <section aria-labelledby="members-title">
        <h2 id="members-title">Members</h2>
        <p>
          {isOwner
            ? 'The organization keeps at least one owner. A removed member loses access at once.'
            : 'Owners invite people, change roles and remove members.'}
        </p>
        {isOwner && <Invite {...shown} />}
      </section>
      <Table
        class="block-table"
        rows={slice.items}
        columns={[
          {
            label: 'Member',
            class: 'wide',
            dir: 'auto',
            cell: (member) => <MemberName member={member} isSelf={member.userId === shown.userId} />,
          },
          { label: 'Role', isNamed: true, cell: ({ role }) => labelOf(role) },
          { label: 'Joined', isNamed: true, cell: ({ created }) => <Time at={created} to="day" /> },
          {
            label: 'Actions',
            isLabelHidden: true,
            cell: (member) =>
              (isOwner || member.userId === shown.userId) && <MemberActions member={member} {...shown} />,
          },
        ]}
      />
      <Pager page={page} slice={slice} url={url} />
      <Groups {...shown} />
      {isOwner && <Invitations organizationId={organizationId} invitations={shown.invitations} />}
    </Settings>
  );
}

function LinkBlock({ link: { kind, email, handed } }: { link: NewLink }): VNode {
  if (handed === undefined)
    return (
      <p class="success" role="status">
        {kind === 'invitation' ? 'The invitation' : 'A link for a new password'} is sent to <strong>{email}</strong>.
      </p>
    );
  const title = kind === 'invitation' ? `Invitation link for ${email}` : `Password link for ${email}`;
  return (
    <SecretBlock id="link" title={title} secret={handed.link}>
      <p>
        {kind === 'password'
          ? `Give it to ${email} only: anyone who has it can set their password.`
          : `Hand it over to ${email}: this service sends no mail.`}{' '}
        It works once, until <Time at={handed.expires} />.
      </p>
    </SecretBlock>
  );
}

const MemberKeys = ({ organizationId, keys }: Pick<ShownMembers, 'organizationId' | 'keys'>): VNode => (
  <Card id="member-keys" title="API keys that open this organization">
    <p>
      These keys of members had no limit. Since an upgrade each opens only the organizations that its user was in then,
      and this is one of them. End the access of keys that nobody needs here.
    </p>
    <ul class="plain">
      {keys.map(({ id, label, accessKey, scopes, email, created, lastUsed }) => (
        <li key={id}>
          <p>
            <strong dir="auto">{label}</strong> <code>{accessKey}</code> of {email}, {scopes.join(', ')}, created{' '}
            <Time at={created} to="day" />, <LastUse of={{ lastUsed }} />
          </p>
          <Form action={`${membersUrl(organizationId)}/keys/${id}/close`}>
            <button class="danger">
              End the access to this organization<span class="visually-hidden"> of the key {label}</span>
            </button>
          </Form>
        </li>
      ))}
    </ul>
    <Form action={`${membersUrl(organizationId)}/keys/seen`}>
      <button>Keep these keys, and do not show them again</button>
    </Form>
  </Card>
);

const Invite = ({ organizationId, isMailed }: ShownMembers): VNode => (
  <Panel id="invite" label="Invite a person" kind="primary" action={`${membersUrl(organizationId)}/invitations`}>
    <Field
      name="email"
      label="E-mail address"
      hint="A new invitation of the same address replaces the earlier one."
      input={{ type: 'email', maxLength: 254 }}
    />
    <Select name="role" label="Role" options={ROLES} value="member" />
    <button class="primary">{isMailed ? 'Send the invitation' : 'Create the invitation'}</button>
  </Panel>
);

const MemberName = ({
  member: { userId, name, email, isAddressProved },
  isSelf,
}: {
  member: Member;
  isSelf: boolean;
}): VNode => (
  <>
    {name !== null && (
      <>
        <Person id={userId} name={name} isNamed />
        <br />
      </>
    )}
    {email} {isSelf && <span class="muted">(you)</span>}
    {!isAddressProved && (
      <>
        <br />
        <span class="muted">address not proved</span>
      </>
    )}
  </>
);

function Invitations({
  organizationId,
  invitations,
}: {
  organizationId: number;
  invitations: readonly InvitationView[];
}): VNode {
  return (
    <section aria-labelledby="invitations-title">
      <h2 id="invitations-title">Open invitations</h2>
      {invitations.length === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <Table
          class="block-table"
          rows={invitations}
          columns={[
            { label: 'Address', class: 'wide', cell: ({ invitation }) => invitation.email },
            { label: 'Role', isNamed: true, cell: ({ invitation }) => labelOf(invitation.role) },
            {
              label: 'Works until',
              isNamed: true,
              cell: ({ invitation, state }) =>
                state === 'open' ? (
                  <Time at={invitation.expires} />
                ) : (
                  'not valid: the person who sent it may no longer invite'
                ),
            },
            {
              label: 'Actions',
              isLabelHidden: true,
              cell: ({ invitation: { id, email } }) => (
                <Form action={`${membersUrl(organizationId)}/invitations/${id}/revoke`}>
                  <button class="danger">
                    Revoke<span class="visually-hidden"> the invitation of {email}</span>
                  </button>
                </Form>
              ),
            },
          ]}
        />
      )}
    </section>
  );
}
