import { conflict, notFound, unprocessable } from '../../../kernel/domain-error';

export const eventNotFound = () => notFound('Event');

export const scopeAssetNotFound = () => notFound('Scope asset');

export const scopeAssetExists = () =>
  conflict('The asset is in the list of this event already. Remove it from there to say something else of it.');

export const scopeAssetBusy = () =>
  conflict('A worker is busy with this asset in this event at the moment. Try again when its job or retest has ended.');

export const wildcardNeedsDomain = () =>
  unprocessable('wildcard means all subdomains, which only an asset of type domain has.');
