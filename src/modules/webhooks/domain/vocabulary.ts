/** hmac: both sides have the secret. ed25519: the receiver has a public key only, and cannot forge a message. */
export const SIGNATURES = ['hmac', 'ed25519'] as const;
export type Signature = (typeof SIGNATURES)[number];

/** Why the service or an admin has paused a webhook, with what to do. */
export const PAUSE_REASONS = {
  admin: 'An admin has paused it.',
  gone: 'Its receiver has answered 410 Gone. Correct its address, or delete it.',
  failing: 'Its receiver has not accepted a message for 3 days. Repair the receiver, send a test, then resume it.',
  maker_left:
    'The user who last saved it is no longer an admin of the organization. Another admin resumes it to take it over.',
} as const;
export type PauseReason = keyof typeof PAUSE_REASONS;

export const webhookKind = {
  noun: 'webhook',
  pauses: PAUSE_REASONS,
  meanwhile:
    'Nothing is lost meanwhile: the feed keeps its entries for 30 days, and the webhook continues where it stopped.',
  advice: 'Delete one, or widen the filter of another.',
} as const;

/** waiting: also between two attempts. failed: no more attempts. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
