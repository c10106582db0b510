import { type DomainError, forbidden, notFound } from '../../../kernel/domain-error';

export const onlyMembersGetMail = (organizationId: number): DomainError =>
  forbidden(`Only members of organization ${organizationId} get mail about it. Ask an owner to invite you.`);

export const unsubscribeLinkNotFound = (): DomainError => notFound('Link');
