import { dayOf } from '../../../kernel/day';
import type { AcceptedCheckOfAsset } from '../../assets';

/** How many of a list a sentence names. */
export const SHOWN = 3;

/** The first accepted checks, with the users who accepted them. */
export function textOfAccepted(accepted: readonly AcceptedCheckOfAsset[]): string {
  const texts = accepted
    .slice(0, SHOWN)
    .map(
      ({ checkId, assetValue, acceptedFor, until, acceptedBy, reason }) =>
        `${checkId} on ${assetValue}${amongMany(acceptedFor)} until ${dayOf(until)} by ${acceptedBy} ("${reason}")`,
    );
  const rest = accepted.length > SHOWN ? [`${accepted.length - SHOWN} more`] : [];
  return [...texts, ...rest].join(', ');
}

function amongMany(label: string | null): string {
  if (label === null) return '';
  return label === '' ? ' and all other assets' : ` and all assets with the label ${label}`;
}
