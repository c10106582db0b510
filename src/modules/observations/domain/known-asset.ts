import { storedHosting } from '../../assets/domain/hosting';
import type { ObservedAssetRow } from '../../assets';
import type { KnownAsset, KnownHost } from './asset-change';

/** From what is stored. */
export const knownAsset = (state: ObservedAssetRow | undefined, hosts: readonly KnownHost[]): KnownAsset => ({
  hosts,
  addresses: state?.addresses ?? [],
  hosting: storedHosting(state),
  watched: new Set(state?.watched),
  isFirst: (state?.observed ?? null) === null,
});
