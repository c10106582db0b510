import { invalid } from '../../../kernel/domain-error';
import type { ChangeableEvent } from './event-change';

/** A place has both coordinates. */
export function requireWholePlace({ latitude, longitude }: Pick<ChangeableEvent, 'latitude' | 'longitude'>): void {
  if (latitude !== null && longitude === null) throw invalid('longitude must be given with latitude.');
  if (latitude === null && longitude !== null) throw invalid('latitude must be given with longitude.');
}
