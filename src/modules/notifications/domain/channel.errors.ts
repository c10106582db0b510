import { conflict, type DomainError, invalid, unprocessable } from '../../../kernel/domain-error';

export const urlMissing = (): DomainError => invalid('url is missing: copy it from Slack or Teams.');

export const urlOfMail = (): DomainError => invalid('url must not be set for mail, which has recipients.');

export const recipientsMissing = (): DomainError => invalid('recipients must name at least one member.');

export const recipientsOfChat = (): DomainError =>
  invalid('recipients must be empty for Slack and Teams, which have a url.');

export const recipientIsNoMember = (userId: number): DomainError =>
  unprocessable(`recipients: ${userId} is not the id of a member of the organization.`);

export const quietForEver = (): DomainError => invalid('quiet must leave some time of the week.');

export const zoneUnknown = (name: string): DomainError =>
  invalid(`time_zone must be a name of the IANA database, such as Europe/Lisbon: "${name}" is none.`);

export const noMail = (): DomainError => unprocessable('The service sends no mail: its operator must set SMTP_URL.');

export const testWaits = (): DomainError => conflict('A test of this channel is on its way. Wait for its result.');
