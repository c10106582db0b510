import { conflict, notFound, unprocessable } from '../../../kernel/domain-error';

export const eventNotFound = () => notFound('Event');

export const eventOfAnother = (id: number) =>
  unprocessable(`events: ${id} is not the id of an event of the organization.`);

export const eventPictureNotFound = () => notFound('Picture');

export const scopeAssetNotFound = () => notFound('Scope asset');

export const scopeAssetExists = () =>
  conflict('The asset is already in the scope list of this event. Remove it there first to change its entry.');

export const scopeAssetBusy = () =>
  conflict('A worker is testing this asset in this event. Try again when its job or retest has ended.');

export const wildcardNeedsDomain = () =>
  unprocessable('wildcard must not be true for this asset: only assets of type domain have subdomains.');
