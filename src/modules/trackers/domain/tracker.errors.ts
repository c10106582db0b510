import { conflict, type DomainError, invalid, notFound, unprocessable } from '../../../kernel/domain-error';

export const secretsUnavailable = (): DomainError =>
  unprocessable('The service cannot keep credentials of trackers: its operator must set SECRET_KEY.');

export const projectInvalid = (hint: string): DomainError =>
  invalid(`project is not valid for this kind of tracker. Expected: ${hint}`);

export const keyInvalid = (): DomainError =>
  invalid(
    'key is not valid for this kind of tracker. Keys look like SEC-12 in Jira, and like 12 in GitHub and GitLab.',
  );

export const addressWithPath = (): DomainError =>
  invalid('address must not contain credentials, a query or a fragment.');

export const userMissing = (): DomainError => invalid('user is missing: the mail address of the account in Jira.');

export const tokenMissing = (): DomainError =>
  conflict(
    'The tracker has no credentials: they are emptied when its address, kind or project changes. Type the token again.',
  );

export const notTested = (): DomainError =>
  conflict('The tracker was not tested since its settings changed. Test it first; a test that fails says why.');

export const fieldsMissing = (names: readonly string[]): DomainError =>
  conflict(
    `The project demands fields that the tracker does not fill: ${names.join(', ')}. Give them a default in the project, or choose another issue type.`,
  );

export const testWaits = (): DomainError => conflict('A test of this tracker is on its way. Wait for its result.');

export const ticketNotFound = (): DomainError => notFound('Ticket');

export const hasTicket = (): DomainError => conflict('The finding has a ticket already. Unlink it first.');

export const findingNotOpen = (): DomainError => conflict('Only an open finding gets a ticket.');

export const nothingToRetry = (): DomainError =>
  conflict('The last step of the ticket did not fail, and no person has to decide about it.');

export const trackerPaused = (): DomainError => conflict('The tracker is paused. Resume it first.');

export const confirmationNeeded = (count: number): DomainError =>
  conflict(`This opens ${count} tickets. Send "confirm": ${count} to open them.`);

export const findingNotFound = (): DomainError => notFound('Finding');

export const trackerNotFound = (): DomainError => notFound('Tracker');

export const projectWithTickets = (): DomainError =>
  conflict('The tracker has tickets in its project. Create another tracker for another project.');

export const trackerUnclear = (): DomainError =>
  unprocessable('tracker_id is missing: it may be omitted if the organization has exactly one active tracker.');
