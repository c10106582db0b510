import { conflict, DomainError, forbidden, notFound } from '../../../kernel/domain-error';
import type { ProposedChange } from '../../../platform/api/caller';

/** The change was not made: it waits for a second admin. */
export class NeedsApprovalError extends DomainError {
  constructor(
    readonly change: ProposedChange,
    override readonly record: () => Promise<void>,
  ) {
    super(
      'conflict',
      `Nothing was changed: organization ${change.organizationId} requires a second approval. Another admin confirms or rejects the proposal within 30 days (GET /v1/organizations/${change.organizationId}/approvals/).`,
    );
  }
}

export const approvalNotFound = () => notFound('Approval');

export const isDecided = (status: string) => conflict(`This approval is ${status} already.`);

export const changedSince = () =>
  conflict('What it is about has changed since the change was proposed. Propose it again.');

export const proposerIsGone = () => conflict('The user who proposed it no longer exists.');

export const proposerIsUnproved = () =>
  forbidden(
    'A change that an admin must confirm is proposed only by members with proved e-mail addresses. Prove yours first.',
  );

export const isOwnProposal = () => forbidden('You have proposed this change, so another admin must confirm it.');

export const needsMember = (what: string) =>
  forbidden(`Only an admin who is a member of the organization, with a proved e-mail address, may ${what}.`);

export const serviceMayNot = (summary: string) =>
  conflict(`${summary} The organization requires a second approval of this, which only people can propose.`);

export const tooManyPending = (most: number) =>
  conflict(`The organization has ${most} pending approvals, which is the limit. Decide about some of them first.`);
