import { type ObservedAssetRow, storedHosting } from '../../assets';
import type { KnownAsset, KnownHost } from './asset-change';

/** From what is stored. */
export const knownAsset = (state: ObservedAssetRow | undefined, hosts: readonly KnownHost[]): KnownAsset => ({
  hosts,
  addresses: state?.addresses ?? [],
  hosting: storedHosting(state),
  watched: new Set(state?.watched),
  isFirst: (state?.observed ?? null) === null,
});
