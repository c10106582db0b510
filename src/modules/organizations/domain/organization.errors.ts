import { conflict, forbidden, invalid, notFound, unprocessable } from '../../../kernel/domain-error';

export const organizationNotFound = () => notFound('Organization');

export const logoNotFound = () => notFound('Logo');

export const organizationNameTaken = () => conflict('An organization with this name already exists.');

export const organizationsLimitReached = (limit: number) =>
  unprocessable(
    `The subscription allows ${limit} organizations, and all of them exist. Delete one, or ask for a higher limit.`,
  );

export const organizationAmbiguous = () =>
  invalid('organization_id is missing: name the organization, since this caller can see none or several.');

export const onlyIntegrators = () => forbidden('Only integrators may call this operation.');
