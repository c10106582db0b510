import type { VNode } from 'preact';
import { displayNameOf, type GroupOfMembers, MAX_GROUP_NAME_LENGTH, type Member } from '../../modules/identity';
import { Field, Form, TextArea } from '../frame/form';
import { Panel } from '../frame/panel';
import { Table } from '../frame/table';
import { assetsUrl, groupsUrl, membersUrl } from '../urls';

interface GroupsProps {
  readonly organizationId: number;
  readonly groups: readonly GroupOfMembers[];
  /** Those whom the list names, by id. */
  readonly groupMembers: ReadonlyMap<number, Member>;
  readonly isAdmin: boolean;
}

const SHOWN = 10;

/** The members of a group whom the list names. */
export const shownMembers = ({ memberIds }: GroupOfMembers): readonly number[] => memberIds.slice(0, SHOWN);

function namesIn({ groupMembers }: GroupsProps, group: GroupOfMembers): string {
  const names = shownMembers(group).flatMap((id) => {
    const member = groupMembers.get(id);
    return member === undefined ? [] : [displayNameOf(member)];
  });
  const more = group.memberIds.length - SHOWN;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ') || 'none';
}

/** The named groups of members, which own assets. */
export const Groups = (props: GroupsProps): VNode => (
  <section aria-labelledby="groups-title">
    <h2 id="groups-title">Groups</h2>
    <p>A group owns assets: lists, channels and reports can be limited to those. Admins manage groups.</p>
    {props.groups.length > 0 && (
      <Table
        class="block-table"
        rows={props.groups}
        columns={[
          {
            label: 'Group',
            class: 'wide',
            dir: 'auto',
            cell: ({ id, name }) => <a href={assetsUrl(props.organizationId, { owner: `group:${id}` })}>{name}</a>,
          },
          {
            label: 'Members',
            class: 'wide',
            isNamed: true,
            dir: 'auto',
            cell: (group) => namesIn(props, group),
          },
          {
            label: 'Actions',
            isLabelHidden: true,
            cell: (group) => props.isAdmin && <GroupActions {...props} group={group} />,
          },
        ]}
      />
    )}
    {props.isAdmin && (
      <Panel id="new-group" label="New group" action={groupsUrl(props.organizationId)}>
        <GroupFields />
        <button class="primary">Create the group</button>
      </Panel>
    )}
  </section>
);

function GroupActions({ group, organizationId }: GroupsProps & { readonly group: GroupOfMembers }): VNode {
  const url = `${groupsUrl(organizationId)}/${group.id}`;
  return (
    <div class="actions">
      <a href={url} aria-label={`Change the group ${group.name}`}>
        Change
      </a>
      <Panel label="Delete" of={`the group ${group.name}`} action={`${url}/delete`}>
        <p>Its assets have no owner then.</p>
        <button class="danger">Delete the group</button>
      </Panel>
    </div>
  );
}

interface GroupPageProps {
  readonly organizationId: number;
  readonly group: GroupOfMembers;
  readonly members: readonly Member[];
}

export const GroupPage = ({ organizationId, group, members }: GroupPageProps): VNode => (
  <section aria-labelledby="group-title">
    <p>
      <a href={membersUrl(organizationId)}>Members</a>
    </p>
    <h2 id="group-title" dir="auto">
      {group.name}
    </h2>
    <Form action={`${groupsUrl(organizationId)}/${group.id}`}>
      <GroupFields name={group.name} addresses={members.map(({ email }) => email)} />
      <button class="primary">Save</button>
    </Form>
  </section>
);

const GroupFields = ({ name, addresses = [] }: { name?: string; addresses?: readonly string[] }): VNode => (
  <>
    <Field name="name" label="Name" input={{ value: name, maxLength: MAX_GROUP_NAME_LENGTH, dir: 'auto' }} />
    <TextArea
      name="members"
      label="Members"
      hint="Their mail addresses, with commas or on lines."
      value={addresses.join('\n')}
      rows={3}
    />
  </>
);
