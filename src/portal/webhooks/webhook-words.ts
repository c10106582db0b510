import { OUTBOUND_ERRORS, PAUSE_REASONS, type Webhook, type WebhookDelivery } from '../../modules/webhooks';
import { labelOf, pluralize } from '../frame/words';

export const filterText = ({ types, severity, statuses, eventIds, labels, confirmed }: Webhook): string =>
  [
    types.length === 0 ? 'all changes' : `changes of ${types.join(', ')}`,
    severity === null ? '' : `${severity} and above`,
    statuses.length === 0 ? '' : `status ${statuses.join(', ')}`,
    eventIds.length === 0 ? '' : `of ${pluralize(eventIds.length, 'event')}`,
    labels.length === 0 ? '' : `labeled ${labels.join(', ')}`,
    confirmed ? 'confirmed only' : '',
  ]
    .filter((text) => text !== '')
    .join('; ');

export function stateText({ state, failingSince }: Webhook): string {
  if (state === 'paused') return 'Paused';
  return failingSince === null ? 'Active' : 'Failing';
}

export const pauseText = ({ pauseReason }: Webhook): string => (pauseReason === null ? '' : PAUSE_REASONS[pauseReason]);

/** How the last attempt ended. */
export function resultText({ statusCode, error, attempts }: WebhookDelivery): string {
  if (statusCode !== null) return `HTTP ${statusCode}`;
  if (error === 'entry_removed') return 'The feed no longer has the entry.';
  if (error !== null) return `${labelOf(error)}. ${OUTBOUND_ERRORS[error]}`;
  return attempts === 0 ? 'Not sent yet' : 'Being sent';
}
