import { OUTBOUND_ERRORS, PAUSE_REASONS, type Webhook, type WebhookDelivery } from '../../modules/webhooks';
import { formatted, labelOf, pluralize } from '../frame/words';

export const filterText = ({ types, severity, statuses, eventIds, labels, confirmed, owner }: Webhook): string =>
  [
    types.length === 0 ? 'all changes' : `changes of ${types.join(', ')}`,
    severity === null ? '' : `${severity} and above`,
    statuses.length === 0 ? '' : `status ${statuses.join(', ')}`,
    eventIds.length === 0 ? '' : `of ${pluralize(eventIds.length, 'event')}`,
    labels.length === 0 ? '' : `labeled ${labels.join(', ')}`,
    confirmed ? 'confirmed only' : '',
    owner === null ? '' : 'of one owner',
  ]
    .filter((text) => text !== '')
    .join('; ');

export const pauseText = ({ pauseReason }: Webhook): string => (pauseReason === null ? '' : PAUSE_REASONS[pauseReason]);

/** How the last attempt ended. */
export function resultText({ statusCode, error, attempts, ms }: WebhookDelivery): string {
  const time = ms === null ? '' : ` in ${formatted(ms)} ms`;
  const count = attempts > 1 ? `, attempt ${attempts}` : '';
  if (statusCode !== null) return `HTTP ${statusCode}${time}${count}`;
  if (error !== null) return `${labelOf(error)}${count}`;
  return attempts === 0 ? 'Not sent yet' : `Being sent${count}`;
}

/** What to do about the newest attempt, if it has no status. */
export function adviceOf(deliveries: readonly WebhookDelivery[]): string | undefined {
  const error = deliveries.find(({ attempts }) => attempts > 0)?.error ?? null;
  if (error === null) return undefined;
  return error === 'entry_removed'
    ? 'The feed no longer has the entry of the newest message.'
    : `The newest attempt failed. ${OUTBOUND_ERRORS[error]}`;
}

/** The first part of a UUID is enough for people to recognize it. */
export const shortRecord = (record: string): string => record.replace(/( [0-9a-f]{8})-[0-9a-f-]{27}$/, '$1');
