import { conflict, notFound, unprocessable } from '../../../kernel/domain-error';

export const assetNotFound = () => notFound('Asset');

export const acceptedCheckNotFound = () => notFound('Accepted check');

export const assetExists = () =>
  conflict('The organization already has an asset with this value and the same beacon, or both without a beacon.');

export const assetBusy = () => conflict('A worker is testing this asset. Try again when its job or retest has ended.');

export const assetsLimitReached = (limit: number) =>
  unprocessable(`The organization has reached its limit of ${limit} assets. Delete one, or ask for a higher limit.`);
