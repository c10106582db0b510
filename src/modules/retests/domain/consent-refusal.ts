import type { Target } from '../../../engine';
import type { Asset } from '../../assets';

type Consenting = Pick<Asset, 'activeTests' | 'value'>;

/** What an admin can do about it. */
const HOW = 'an admin can allow them on the page of the asset, or by its active_tests.';

/** Of several assets that are equally close, all must allow active tests. */
export function consentRefusal(closest: readonly Consenting[], place: Pick<Target, 'host'>): string | null {
  const off = closest.find(({ activeTests }) => activeTests === 'off');
  if (closest.length > 0 && off === undefined) return null;
  return `Active tests are off for ${off?.value ?? place.host}: ${HOW}`;
}

/** The same for what changes the target. */
export function fullRefusal(closest: readonly Consenting[], place: Pick<Target, 'host'>): string | null {
  const other = closest.find(({ activeTests }) => activeTests !== 'full');
  if (closest.length > 0 && other === undefined) return null;
  return `Active tests with full are not allowed for ${other?.value ?? place.host}: ${HOW}`;
}
