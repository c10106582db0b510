import { conflict, notFound, unprocessable } from '../../../kernel/domain-error';

export const assetNotFound = () => notFound('Asset');

export const assetExists = () =>
  conflict('The organization already has an asset of this value that is reached in the same way.');

export const assetBusy = () =>
  conflict('A worker is busy with this asset at the moment. Try again when its job or retest has ended.');

export const assetsLimitReached = (limit: number) =>
  unprocessable(
    `The organization may have ${limit} assets, and all of them exist. Delete one, or ask for a higher limit.`,
  );
