import type { VNode } from 'preact';
import type { Page, Slice } from '../../kernel/page';
import type { Approval, ApprovalStatus } from '../../modules/approvals';
import { Card } from '../frame/card';
import { Field, Form } from '../frame/form';
import { Pager } from '../frame/pager';
import { Person } from '../frame/person';
import { Settings } from '../frame/settings-tabs';
import { Table } from '../frame/table';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { approvalsUrl } from '../urls';

interface ShownApprovals {
  readonly organizationId: number;
  readonly status: ApprovalStatus | undefined;
  readonly page: Page;
  readonly slice: Slice<Approval>;
  readonly isOn: boolean;
  readonly names: ReadonlyMap<number, string>;
  readonly mayDecide: boolean;
  /** The caller. */
  readonly userId: number;
}

export function ApprovalsPage(shown: ShownApprovals): VNode {
  const { organizationId, status, page, slice, names } = shown;
  return (
    <Settings current="approvals">
      <Setting {...shown} />
      {slice.items.length === 0 ? (
        <p>Nothing needs an approval.</p>
      ) : (
        <Table
          class="block-table"
          rows={slice.items}
          columns={[
            { label: 'Change', class: 'wide', cell: Changes },
            {
              label: 'Proposed',
              isNamed: true,
              cell: ({ proposedBy, proposedAt }) => (
                <>
                  <Person id={proposedBy} name={names.get(proposedBy)} /> <Time at={proposedAt} />
                </>
              ),
            },
            { label: 'Status', isNamed: true, cell: (approval) => <Status approval={approval} names={names} /> },
            {
              label: 'Actions',
              isLabelHidden: true,
              cell: (approval) => approval.status === 'pending' && <Decide approval={approval} {...shown} />,
            },
          ]}
        />
      )}
      <Pager page={page} slice={slice} url={approvalsUrl(organizationId, status)} />
    </Settings>
  );
}

const Setting = ({ organizationId, isOn, mayDecide }: ShownApprovals): VNode => (
  <Card id="second-approval" title="Second approval">
    <p>
      {isOn
        ? 'Decisions need a second admin: statuses that dismiss a finding, merges, verdicts by hand, confirmed pages and refusals, and accepted checks. '
        : 'One admin decides alone. '}
      Turning it {isOn ? 'off' : 'on'} needs two admins with proved e-mail addresses.
    </p>
    {mayDecide && (
      <Form action={`${approvalsUrl(organizationId)}/setting`}>
        <input type="hidden" name="second_approval" value={String(!isOn)} />
        <button>Propose to turn it {isOn ? 'off' : 'on'}</button>
      </Form>
    )}
  </Card>
);

const Changes = ({ changes }: Approval): VNode => (
  <ul class="plain">
    {changes.map(({ summary, error }, at) => (
      <li key={at} dir="auto" class="wrap">
        {summary}
        {error != null && <strong> {error}</strong>}
      </li>
    ))}
  </ul>
);

const Status = ({ approval, names }: { approval: Approval } & Pick<ShownApprovals, 'names'>): VNode => (
  <>
    {labelOf(approval.status)}{' '}
    {approval.decidedBy !== null && <Person id={approval.decidedBy} name={names.get(approval.decidedBy)} />}{' '}
    <Time at={approval.decidedAt ?? approval.expires} /> {approval.reason !== null && <bdi>{approval.reason}</bdi>}
  </>
);

const Decide = ({ organizationId, userId, mayDecide, approval }: ShownApprovals & { approval: Approval }) => {
  const base = `${approvalsUrl(organizationId)}/${approval.id}`;
  const isOwn = approval.proposedBy === userId;
  return (
    mayDecide && (
      <>
        {!isOwn && (
          <Form action={`${base}/confirm`}>
            <button aria-label={`Confirm proposal ${approval.id}`}>Confirm</button>
          </Form>
        )}
        <Form action={`${base}/reject`} class="inline-form">
          <Field
            name="reason"
            id={`reason-${approval.id}`}
            label="Reason"
            input={{ maxLength: 500, required: false }}
          />
          <button class="quiet" aria-label={`${isOwn ? 'Withdraw' : 'Reject'} proposal ${approval.id}`}>
            {isOwn ? 'Withdraw' : 'Reject'}
          </button>
        </Form>
      </>
    )
  );
};
